package document_test

import (
	"fmt"
	"slices"
	"testing"

	"versus2048/internal/document"
)

var _ = func(t *testing.T) {
	text := document.ReadDocument(t, "../../docs/PROTOCOL.md")
	for _, example := range document.Blocks(text, "json") {
		fmt.Println(example)
	}
}

func TestBlocks(t *testing.T) {
	text := "# A page\n```json\n{}\n```\ntext\n```json answer\n1\n```\n```json\n[\n]\n```\n"
	if got, want := document.Blocks(text, "json"), []string{"{}\n", "[\n]\n"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := document.Blocks(text, "json answer"); !slices.Equal(got, []string{"1\n"}) {
		t.Errorf("%q", got)
	}
	if document.Blocks(text, "toml") != nil {
		t.Error("blocks of a language that the page does not have")
	}
	if document.ReadDocument(t, "doc.go") == "" {
		t.Error("an empty page")
	}
}

func TestSection(t *testing.T) {
	text := "# A page\n## One\n1\n### Deep\n2\n## Two\n3\n"
	for heading, want := range map[string]string{"## One": "1\n### Deep\n2\n", "### Deep": "2\n", "## Two": "3\n", "# A page": text[9:], "## Three": "", "## On": ""} {
		if got := document.Section(text, heading); got != want {
			t.Errorf("%s: %q, want %q", heading, got, want)
		}
	}
}

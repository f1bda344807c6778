package testkit_test

import (
	"slices"
	"testing"

	"versus2048/internal/testkit"
)

func TestBlocks(t *testing.T) {
	text := "# A page\n```json\n{}\n```\ntext\n```json answer\n1\n```\n```json\n[\n]\n```\n"
	if got, want := testkit.Blocks(text, "json"), []string{"{}\n", "[\n]\n"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := testkit.Blocks(text, "json answer"); !slices.Equal(got, []string{"1\n"}) {
		t.Errorf("%q", got)
	}
	if testkit.Blocks(text, "toml") != nil {
		t.Error("blocks of a language that the page does not have")
	}
	if testkit.ReadDocument(t, "doc.go") == "" {
		t.Error("an empty page")
	}
}

func TestSection(t *testing.T) {
	text := "# A page\n## One\n1\n### Deep\n2\n## Two\n3\n"
	for heading, want := range map[string]string{"## One": "1\n### Deep\n2\n", "### Deep": "2\n", "## Two": "3\n", "# A page": text[9:], "## Three": "", "## On": ""} {
		if got := testkit.Section(text, heading); got != want {
			t.Errorf("%s: %q, want %q", heading, got, want)
		}
	}
}

package document

import (
	"os"
	"regexp"
	"testing"
)

// Read returns the text of a page. It fails the test if it cannot be read.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Blocks returns the fenced code blocks of a text in a language, such as "json", in their order.
func Blocks(text, language string) (blocks []string) {
	fenced := regexp.MustCompile("(?ms)^```" + regexp.QuoteMeta(language) + "\n(.*?)^```$")
	for _, found := range fenced.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

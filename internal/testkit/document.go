package testkit

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// ReadDocument returns the text of a page. It fails the test if the page cannot be read.
func ReadDocument(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Section returns the part of a text below a heading, such as "### Errors", up to the next heading of that
// level or a higher one. It is empty if there is no such heading.
func Section(text, heading string) string {
	_, below, _ := strings.Cut("\n"+text, "\n"+heading+"\n")
	level, _, _ := strings.Cut(heading, " ")
	end := regexp.MustCompile("(?m)^#{1," + strconv.Itoa(len(level)) + "} ").FindStringIndex(below)
	if end == nil {
		return below
	}
	return below[:end[0]]
}

// Blocks returns the fenced code blocks of a text in a language, such as "json", in their order.
func Blocks(text, language string) (blocks []string) {
	fenced := regexp.MustCompile("(?ms)^```" + regexp.QuoteMeta(language) + "\n(.*?)^```$")
	for _, found := range fenced.FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

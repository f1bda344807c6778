package check

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// The page lists every check as it is.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../docs/CHECKS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "## The checks\n\n")
	want := "| check | level | protocol | demand |\n|---|---|---|---|\n"
	for _, c := range List() {
		want += fmt.Sprintf("| `%s` | %s | %s | %s |\n", c.ID, c.Level, c.Media, c.Demand)
	}
	if !found || table != want {
		t.Errorf("docs/CHECKS.md has another table; want\n%s", want)
	}
}

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
	want := "| check | demand |\n|---|---|\n"
	for _, c := range List() {
		want += fmt.Sprintf("| `%s`%s | %s |\n", c.ID, exceptions(c), c.Demand)
	}
	if !found || table != want {
		t.Errorf("docs/CHECKS.md has another table; want\n%s", want)
	}
}

// exceptions returns the level and the protocol of a check where they are not those of most: must and both.
func exceptions(c Check) (text string) {
	if c.Level != Must {
		text += ", " + string(c.Level)
	}
	if medium := fmt.Sprint(c.Media); medium != "both" {
		text += ", " + medium
	}
	return text
}

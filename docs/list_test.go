package docs_test

import (
	"testing"

	"versus2048/docs"
)

// The list of README.md has readers, and the headings of the documents as their titles.
func TestList(t *testing.T) {
	groups := docs.Groups()
	if len(groups) < 4 {
		t.Fatalf("%d kinds of readers", len(groups))
	}
	for _, g := range groups {
		if len(g.Documents) == 0 {
			t.Errorf("nothing to read for: %s", g.Title)
		}
		for _, d := range g.Documents {
			if want := docs.Title(d.Address[len("/docs/"):] + ".md"); d.Title != want {
				t.Errorf("README.md calls %s %q, its heading is %q", d.Address, d.Title, want)
			}
		}
	}
}

package report

import (
	"strings"
	"testing"
)

func someTables() []Table {
	a := Table{Title: "first", Columns: []string{"bot", "n", "share"}}
	a.add("x|y, \"z\"", 3, Figure{Value: 1.0 / 3})
	a.add("b", 0, Figure{Needs: "needs 1 game"})
	b := Table{Title: "second", Columns: []string{"points"}}
	b.add(2.5)
	return []Table{a, b}
}

func TestWriteCSV(t *testing.T) {
	const want = "table,bot,n,share\nfirst,\"x|y, \"\"z\"\"\",3,0.333333\nfirst,b,0,\n\ntable,points\nsecond,2.5\n"
	var got strings.Builder
	if err := WriteCSV(&got, someTables()); err != nil || got.String() != want {
		t.Errorf("%q (%v), want %q", got.String(), err, want)
	}
}

func TestWriteMarkdown(t *testing.T) {
	const want = "## first\n\n| bot | n | share |\n|---|---|---|\n| x\\|y, \"z\" | 3 | 0.33 |\n| b | 0 | - |\n" +
		"\n## second\n\n| points |\n|---|\n| 2.5 |\n"
	var got strings.Builder
	if err := WriteMarkdown(&got, someTables()); err != nil || got.String() != want {
		t.Errorf("%q (%v), want %q", got.String(), err, want)
	}
}

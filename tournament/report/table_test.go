package report

import (
	"strings"
	"testing"

	"versus2048/internal/text/terminal"
)

func someTables() Tables {
	a := terminal.Table{Title: "first", Columns: terminal.Columns("bot", "n", "share")}
	a.Add("x|y, \"z\"", 3, Figure{Value: 1.0 / 3})
	a.Add("b", 0, Figure{Needs: "needs 1 game"})
	b := terminal.Table{Title: "second", Columns: terminal.Columns("points")}
	b.Add(2.5)
	return terminal.Tables{a, b}
}

func TestWriteCSV(t *testing.T) {
	const want = "table,bot,n,share\nfirst,\"x|y, \"\"z\"\"\",3,0.333333\nfirst,b,0,\n\ntable,points\nsecond,2.5\n"
	var got strings.Builder
	if err := someTables().WriteCSV(&got); err != nil || got.String() != want {
		t.Errorf("%q (%v), want %q", got.String(), err, want)
	}
}

func TestWriteMarkdown(t *testing.T) {
	const want = "## first\n\n| bot | n | share |\n|---|---|---|\n| x\\|y, \"z\" | 3 | 0.33 |\n| b | 0 | - |\n" +
		"\n## second\n\n| points |\n|---|\n| 2.5 |\n"
	var got strings.Builder
	if err := someTables().WriteMarkdown(&got); err != nil || got.String() != want {
		t.Errorf("%q (%v), want %q", got.String(), err, want)
	}
}

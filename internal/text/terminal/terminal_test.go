package terminal

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"
)

func TestWidthOf(t *testing.T) {
	primary, secondary, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer primary.Close()
	defer secondary.Close()
	if err := pty.Setsize(primary, &pty.Winsize{Rows: 24, Cols: 93}); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, tc := range []struct {
		columns string
		w       any
		want    int
	}{
		{"", secondary, 93},
		{"120", secondary, 120},
		{"many", secondary, 93},
		{"-5", secondary, 93},
		{"3", secondary, leastWidth},
		{"", file, 0},
		{"70", file, 70},
		{"", new(strings.Builder), 0},
	} {
		t.Setenv("COLUMNS", tc.columns)
		if got := WidthOf(tc.w); got != tc.want {
			t.Errorf("COLUMNS=%s, %T: width %d, want %d", tc.columns, tc.w, got, tc.want)
		}
	}
	if !Is(secondary) || Is(file) || Is(nil) {
		t.Error("terminals are not told from files")
	}
}

func TestShorten(t *testing.T) {
	for _, tc := range []struct {
		name  string
		width int
		want  string
	}{
		{"mcts:playouts=1000,seed=7", 0, "mcts:playouts=1000,seed=7"},
		{"mcts:playouts=1000,seed=7", 25, "mcts:playouts=1000,seed=7"},
		{"mcts:playouts=1000,seed=7", 13, "mcts:p…seed=7"},
		{"日本語の名前です", 16, "日本語の名前です"},
		{"日本語の名前です", 9, "日本…です"},
		{"日本語の名前です", 10, "日本…です"},
		{"👩‍🚀👩‍🚀👩‍🚀👩‍🚀", 5, "👩‍🚀…👩‍🚀"},
		{"abc", 1, "…"},
	} {
		if got := Shorten(tc.name, tc.width); got != tc.want || tc.width > 0 && Width(got) > tc.width {
			t.Errorf("%s in %d: %s, want %s", tc.name, tc.width, got, tc.want)
		}
	}
	if got := Cut("event 3 [=====] 日本語", 18); got != "event 3 [=====] …" {
		t.Errorf("cut: %q", got)
	}
}

func FuzzShorten(f *testing.F) {
	f.Add("mcts:playouts=1000", 7)
	f.Add("日本語の名前です👩‍🚀", 5)
	f.Add("ts:pq!\xc7\xef\xf3layou\xff\xff", -50)
	f.Fuzz(func(t *testing.T, name string, width int) {
		width = 1 + width&63
		if got := Shorten(name, width); Width(got) > width || utf8.ValidString(name) && !utf8.ValidString(got) {
			t.Errorf("%q in %d: %q", name, width, got)
		}
	})
}

// A spec that is wider than a line breaks after its commas; any other text of that width stays whole.
func TestWrapSpec(t *testing.T) {
	const text = "  ann: mcts:playouts=10000,c=1000,expand=5 and /a/file/with/a/long/name"
	const want = "  ann:\n    mcts:playouts=10000,\n    c=1000,expand=5 and\n    /a/file/with/a/long/name"
	if got := Wrap(text, 24, "  "); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

func TestHang(t *testing.T) {
	const text = "OPTIONS:\n   --seed value  of all random choices\n   a line of one wide column"
	const want = "OPTIONS:\n   --seed value  of all\n                 random\n                 choices\n   a line of one wide\n   column"
	if got := Hang(text, 23); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}

func TestMarkdown(t *testing.T) {
	const text = "Some lines before a table of bots.\n\n| bot | what it is | played | points |\n|---|---|---:|---:|\n" +
		"| mcts:playouts=1000 | a search \\| of trees | 12 | 9.5 |\n|  | another one | 3 | - |\n\nEnd.\n"
	const want = `Some lines before a table of
  bots.

bot           what it is
mcts:p…=1000  a search | of trees
              another one

bot                played  points
mcts:pla…uts=1000      12     9.5
                        3       -

End.
`
	if got := Markdown(text, 0); got != text {
		t.Errorf("without a width:\n%s", got)
	}
	if got := Markdown(text, 33); got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
	const alone = "| no table\nEnd.\n"
	if got := Markdown(alone, 33); got != alone {
		t.Errorf("%q, want %q", got, alone)
	}
}

func TestWrap(t *testing.T) {
	const text = "  one two three four\nfive sixseveneight nine\n"
	for width, want := range map[int]string{
		0:  text,
		40: text,
		11: "  one two\n    three\n    four\nfive\n  sixseveneight\n  nine\n",
	} {
		if got := Wrap(text, width, "  "); got != want {
			t.Errorf("width %d:\n%s\nwant:\n%s", width, got, want)
		}
	}
}

// standings is a table with every kind of column.
func standings() *Table {
	t := &Table{Indent: " ", Columns: []Column{
		{Title: "", Right: true},
		{Title: "bot", Least: 8},
		{Title: "played", Right: true, Drop: 2},
		{Title: "seed", Right: true, Drop: 1},
		{Title: "points", Right: true},
	}}
	for i := range 4 {
		t.Columns = append(t.Columns, Column{Title: fmt.Sprint("game ", i+1), Right: true, Fold: true})
	}
	t.Add("1", "mcts:playouts=1000,seed=7", "12", "3", "9.5", "1.5", "1", "0", "10")
	t.Add("2", "先手先手", "12", "4", "2.5", "-", "1")
	return t
}

func TestTableFits(t *testing.T) {
	for width, want := range map[int]string{
		0: `    bot                        played  seed  points  game 1  game 2  game 3  game 4
 1  mcts:playouts=1000,seed=7      12     3     9.5     1.5       1       0      10
 2  先手先手                       12     4     2.5       -       1
`,
		60: `    bot         played  seed  points  game 1  game 2  game 3
 1  mcts:…ed=7      12     3     9.5     1.5       1       0
 2  先手先手        12     4     2.5       -       1

    bot                        points  game 4
 1  mcts:playouts=1000,seed=7     9.5      10
 2  先手先手                      2.5
`,
		30: `    bot           seed  points
 1  mcts:p…eed=7     3     9.5
 2  先手先手         4     2.5

    bot         points  game 1
`,
	} {
		got := standings().Text(width)
		for line := range strings.Lines(got) {
			if n := Width(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
				t.Errorf("width %d: a line of %d columns: %s", width, n, line)
			}
		}
		if !strings.HasPrefix(got, want) || width != 30 && got != want {
			t.Errorf("width %d:\n%s\nwant:\n%s", width, got, want)
		}
	}
	if got := standings().Text(30); !strings.Contains(got, "no room for: played") || !strings.Contains(got, "game 4") {
		t.Errorf("what is missing is not told:\n%s", got)
	}
}

// A table is never wider than it must be, at any width.
func TestTableAtEveryWidth(t *testing.T) {
	for width := 29; width < 100; width++ {
		for line := range strings.Lines(standings().Text(width)) {
			if n := Width(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("width %d: a line of %d columns: %s", width, n, line)
			}
		}
	}
}

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"
)

// nameWidth is how many characters of a name fit into a table.
const nameWidth = 24

// WriteText writes the crosstable for a terminal. Its columns are numbered like the
// rows, which are the ranks unless bots share one; names that are too long for it
// follow in full. It returns w's error.
func (t Crosstable) WriteText(w io.Writer) error {
	var text strings.Builder
	names := t.names()
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(table, "\t%s\tpoints\tplayed\twon\tdrawn\tlost\tmean score\t", padded("bot", names))
	for i := range t.Standings {
		fmt.Fprintf(table, "%d\t", i+1)
	}
	fmt.Fprintln(table)
	for i, s := range t.Standings {
		fmt.Fprintf(table, "%d\t%s\t%.1f\t%d\t%d\t%d\t%d\t%s\t", s.Rank, padded(names[i], names),
			s.Points, s.Played, s.Total.Won, s.Total.Drawn, s.Total.Lost, s.MeanScore.Text(1))
		for j, cell := range s.Against {
			fmt.Fprintf(table, "%s\t", cell.text(i == j))
		}
		fmt.Fprintln(table)
	}
	_ = table.Flush() // a strings.Builder takes everything
	text.WriteString("\nA column's number is the row of the opponent there; a cell is points +won =drawn -lost.\n")
	for i, s := range t.Standings {
		if full := printable(s.Name); full != names[i] {
			fmt.Fprintf(&text, "row %d is %s\n", i+1, full)
		}
		if s.SetAside > 0 {
			fmt.Fprintf(&text, "row %d is set aside for its faults, the last in match %d\n", i+1, s.SetAside)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// names are the bots' names, short enough for the table.
func (t Crosstable) names() []string {
	names := make([]string, len(t.Standings))
	for i, s := range t.Standings {
		names[i] = shortened(s.Name)
	}
	return names
}

func (c Cell) text(own bool) string {
	switch {
	case own:
		return "x"
	case c.Played() == 0:
		return "-"
	}
	return fmt.Sprintf("%.1f +%d =%d -%d", c.Points, c.Won, c.Drawn, c.Lost)
}

// padded fills name up to the widest of names, so that names stand left in a
// table of numbers that stand right.
func padded(name string, names []string) string {
	width := utf8.RuneCountInString("bot")
	for _, n := range names {
		width = max(width, utf8.RuneCountInString(n))
	}
	return fmt.Sprintf("%-*s", width, name)
}

// Label is a name as tables and pictures have it: short, on one line.
func Label(name string) string { return shortened(name) }

// shortened cuts a name that is too long in its middle: specs differ at their
// end as often as at their beginning.
func shortened(name string) string {
	letters := []rune(printable(name))
	if len(letters) <= nameWidth {
		return string(letters)
	}
	head := (nameWidth - 2) / 2
	tail := nameWidth - 2 - head
	return string(letters[:head]) + ".." + string(letters[len(letters)-tail:])
}

// printable replaces what would move a terminal's cursor: a name is whatever a
// bot calls itself.
func printable(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, name)
}

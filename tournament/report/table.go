package report

import (
	"io"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
)

// Tables are tables of figures. They write themselves for a terminal of a width, as comma-separated values for
// other programs, and in GitHub's Markdown for documents. The methods return w's error.
type Tables interface {
	WriteText(w io.Writer, width int) error
	WriteCSV(w io.Writer) error
	WriteMarkdown(w io.Writer) error
}

// plainNumber writes a number with at most two decimals.
func plainNumber(v float64) string { return terminal.Decimal(v, 2) }

// nameWidth is the greatest number of columns for a name in a table, and leastNameWidth the number
// that it keeps if there is little room.
const (
	nameWidth      = 24
	leastNameWidth = 12
)

// shortened returns a name for a line or a chart: on one line, and without its middle if it is too long.
func shortened(name string) string { return terminal.Shorten(printable(name), nameWidth) }

// named returns a column of names of bots.
func named(title string) terminal.Column {
	return terminal.Column{Title: title, Least: leastNameWidth, Most: nameWidth}
}

// ranked returns the columns of a table of bots: their rank, which programs know by that name, their name and
// numbers.
func ranked(rank string, titles ...string) []terminal.Column {
	return append([]terminal.Column{{Name: rank, Right: true}, named("bot")}, terminal.Numbers(titles...)...)
}

// texts returns columns of texts, aligned left. The first one has names, and is the key of the rows.
func texts(key string, titles ...string) []terminal.Column {
	columns := []terminal.Column{named(key)}
	for _, title := range titles {
		columns = append(columns, terminal.Column{Title: title, Fold: true})
	}
	return columns
}

// printable replaces characters that would move a terminal's cursor by escapes as in Go, since a
// name may come from an untrusted file.
func printable(name string) string { return plain.Line(name) }

package terminal

import (
	"fmt"
	"io"
	"strings"
)

// Column is a column of a [Table]. A column that is neither folded nor dropped is a key: it tells rows apart. The
// fields after Right are only about the form for people.
type Column struct {
	Title string
	Name  string // the title in CSV and Markdown, if it is another one
	Right bool   // aligned right, as numbers are
	Least int    // the least width of cells that [Shorten] shortens; 0 if they stay whole
	Most  int    // the largest width of cells, which [Shorten] shortens; 0 for no limit
	Fold  bool   // if there is no room, the column moves below the others, beside the keys again
	Drop  int    // if there is no room, the column with the highest number is left out first; 0 for never
}

// Columns returns columns with these titles.
func Columns(titles ...string) []Column {
	columns := make([]Column, len(titles))
	for i, title := range titles {
		columns[i].Title = title
	}
	return columns
}

// Numbers returns columns of numbers with these titles. They are aligned right, and continue below if there is no
// room.
func Numbers(titles ...string) []Column {
	columns := Columns(titles...)
	for i := range columns {
		columns[i].Right, columns[i].Fold = true, true
	}
	return columns
}

// Table is a table that can be written for people on a terminal, as CSV for other programs, and as Markdown for
// documents. If no column has a title, people see no line of titles.
type Table struct {
	Title   string // its name among several [Tables]
	Columns []Column
	Indent  string  // before each row, for people
	Aligned bool    // whether Markdown aligns columns right, too
	Rows    [][]any // see [Table.Add]
}

// gap is the space between columns.
const gap = 2

// Add adds a row of as many cells as there are columns, or fewer. Each form writes the same cells in its own way, such
// as numbers with more or fewer decimals. A cell is of any type that fmt prints, or made by [Shown] or [Raw]; nil is
// empty.
func (t *Table) Add(cells ...any) { t.Rows = append(t.Rows, cells) }

// Fits reports whether the table fits into width as it is.
func (t Table) Fits(width int) bool {
	l := t.layout(width)
	return width <= 0 || l.width(l.indices(anyColumn), l.full) <= l.room
}

// WriteText writes [Table.Text] to w. It returns w's error.
func (t Table) WriteText(w io.Writer, width int) error {
	_, err := io.WriteString(w, t.Text(width))
	return err
}

// Text returns the table for people, in lines of at most width if the keys allow that. If columns are left out, a last
// line names them, and the width that shows them.
func (t Table) Text(width int) string {
	l := t.layout(width)
	var text strings.Builder
	if t.Fits(width) {
		l.write(&text, l.indices(anyColumn), l.full)
		return text.String()
	}
	kept, dropped := l.keep()
	for i, block := range l.fold(kept) {
		if i > 0 {
			text.WriteByte('\n')
		}
		l.write(&text, block, l.spread(block))
	}
	if dropped != nil {
		all := l.width(l.indices(func(c Column) bool { return !c.Fold }), l.full) + Width(t.Indent)
		note := fmt.Sprintf("%sno room for: %s (COLUMNS=%d shows them)", t.Indent, strings.Join(dropped, ", "), all)
		text.WriteString(Wrap(note, width, "") + "\n")
	}
	return text.String()
}

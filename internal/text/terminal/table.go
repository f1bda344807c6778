package terminal

import (
	"fmt"
	"strings"
)

// Column is a column of a [Table]. A column that is neither folded nor dropped is a key: it tells rows
// apart.
type Column struct {
	Title string
	Right bool // aligned right, as numbers are
	Least int  // the least width of cells that [Shorten] shortens; 0 if they stay whole
	Fold  bool // if there is no room, it continues below, beside the keys once more
	Drop  int  // if there is no room, it is left out, the highest number first; 0 for never
}

// Table is a table for people. Every row has as many cells as there are columns, or fewer. If no column
// has a title, there is no line of titles.
type Table struct {
	Columns []Column
	Indent  string // before each row
	rows    [][]string
}

// gap is the space between columns.
const gap = 2

// Add adds a row.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Fits reports whether the table fits into width as it is.
func (t *Table) Fits(width int) bool {
	l := t.layout(width)
	return width <= 0 || l.width(l.indices(anyColumn), l.full) <= l.room
}

// Text returns the table in lines of at most width, if its keys allow that. A last line names the columns that
// there was no room for, and the width that shows them.
func (t *Table) Text(width int) string {
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

// layout returns the layout that brings the table to a width.
func (t *Table) layout(width int) layout {
	full := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		full[i] = Width(c.Title)
		for _, row := range t.rows {
			if i < len(row) {
				full[i] = max(full[i], Width(row[i]))
			}
		}
	}
	return layout{t, full, width - Width(t.Indent)}
}

func anyColumn(Column) bool { return true }

// layout brings a table to a width.
type layout struct {
	*Table
	full []int // the widths of the columns if nothing is shortened
	room int
}

// indices returns the indices of some columns.
func (l *layout) indices(which func(Column) bool) (some []int) {
	for i, c := range l.Columns {
		if which(c) {
			some = append(some, i)
		}
	}
	return some
}

// width returns the width of rows of some columns.
func (l *layout) width(columns, widths []int) int {
	sum := gap * max(0, len(columns)-1)
	for _, i := range columns {
		sum += widths[i]
	}
	return sum
}

// least returns the least widths of the columns.
func (l *layout) least() []int {
	widths := make([]int, len(l.full))
	for i, c := range l.Columns {
		widths[i] = l.full[i]
		if c.Least > 0 {
			widths[i] = min(l.full[i], max(c.Least, Width(c.Title)))
		}
	}
	return widths
}

// keep drops columns until the rest fits, without counting the columns that fold. It returns the columns that
// stay and the titles of the dropped ones.
func (l *layout) keep() (kept []int, dropped []string) {
	kept = l.indices(func(c Column) bool { return !c.Fold })
	for l.width(kept, l.least()) > l.room {
		last := -1
		for k, i := range kept {
			if drop := l.Columns[i].Drop; drop > 0 && (last < 0 || drop > l.Columns[kept[last]].Drop) {
				last = k
			}
		}
		if last < 0 {
			break
		}
		dropped = append(dropped, l.Columns[kept[last]].Title)
		kept = append(kept[:last:last], kept[last+1:]...)
	}
	return kept, dropped
}

// fold divides columns into blocks that fit. The first block has the kept columns and as many of the folded
// columns as there is room for. Each further block has the keys and the next folded columns.
func (l *layout) fold(kept []int) (blocks [][]int) {
	least := l.least()
	keys := l.indices(func(c Column) bool { return !c.Fold && c.Drop == 0 })
	block, bare := kept, len(kept) == len(keys) // bare: nothing but keys
	for _, i := range l.indices(func(c Column) bool { return c.Fold }) {
		wider := append(block[:len(block):len(block)], i)
		if !bare && l.width(wider, least) > l.room {
			blocks = append(blocks, block)
			wider = append(keys[:len(keys):len(keys)], i)
		}
		block, bare = wider, false
	}
	return append(blocks, block)
}

// spread returns the widths of a block's columns: the least ones at first. The remaining room goes to the
// narrowest of the shortened columns.
func (l *layout) spread(block []int) []int {
	widths := l.least()
	for spare := l.room - l.width(block, widths); spare > 0; spare-- {
		narrow := -1
		for _, i := range block {
			if widths[i] < l.full[i] && (narrow < 0 || widths[i] < widths[narrow]) {
				narrow = i
			}
		}
		if narrow < 0 {
			break
		}
		widths[narrow]++
	}
	return widths
}

// write writes the rows of some columns, below their titles.
func (l *layout) write(text *strings.Builder, columns, widths []int) {
	titles := make([]string, len(l.Columns))
	for i, c := range l.Columns {
		titles[i] = c.Title
	}
	rows := l.rows
	if strings.Join(titles, "") != "" {
		rows = append([][]string{titles}, rows...)
	}
	for _, row := range rows {
		line := l.Indent
		for k, i := range columns {
			cell := ""
			if i < len(row) {
				cell = Shorten(row[i], widths[i])
			}
			if k > 0 {
				line += strings.Repeat(" ", gap)
			}
			line += Pad(cell, widths[i], l.Columns[i].Right)
		}
		text.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

package terminal

import "strings"

// layout fits a table into a width.
type layout struct {
	Table
	rows [][]string // the cells as people see them
	full []int      // the widths of the columns if nothing is shortened
	room int
}

// layout returns the layout that fits the table into a width.
func (t Table) layout(width int) layout {
	l := layout{Table: t, full: make([]int, len(t.Columns)), room: width - Width(t.Indent)}
	for i, c := range t.Columns {
		l.full[i] = Width(c.Title)
	}
	for _, row := range t.Rows {
		cells := forPeople().cells(row[:min(len(row), len(t.Columns))])
		for i := range cells {
			cells[i] = Shorten(cells[i], t.Columns[i].Most)
			l.full[i] = max(l.full[i], Width(cells[i]))
		}
		l.rows = append(l.rows, cells)
	}
	return l
}

func anyColumn(Column) bool { return true }

// indices returns the indices of the columns that which accepts.
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

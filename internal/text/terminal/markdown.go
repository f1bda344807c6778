package terminal

import "strings"

// Markdown brings a text with GitHub's tables to a width: the tables become tables of a terminal, in columns,
// and the other lines wrap. The keys of a table tell its rows apart. They are its first column, and each column before
// the first right-aligned one that takes at most a third of the width. Width 0 leaves the text as it is.
func Markdown(text string, width int) string {
	if width <= 0 {
		return text
	}
	var fitting strings.Builder
	var table []string // the lines of the table that was begun
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			table = append(table, strings.TrimSuffix(line, "\n"))
			continue
		}
		fitting.WriteString(fitTable(table, width))
		table = nil
		fitting.WriteString(Wrap(line, width, "  "))
	}
	return fitting.String() + fitTable(table, width)
}

// fitTable brings the lines of a table, if there are any, to a width.
func fitTable(lines []string, width int) string {
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return lines[0] + "\n" // no table, since the line below the titles is missing
	}
	t := Table{}
	key, aligned := true, markdownCells(lines[1])
	for i, title := range markdownCells(strings.ReplaceAll(lines[0], "| |", "|  |")) {
		right := i < len(aligned) && strings.HasSuffix(aligned[i], ":")
		key = key && !right
		t.Columns = append(t.Columns, Column{Title: title, Right: right, Fold: i > 0 && !key})
	}
	for _, line := range lines[2:] {
		var row []any
		for _, cell := range markdownCells(line) {
			row = append(row, cell)
		}
		t.Add(row...)
	}
	t.foldWide(width)
	return t.Text(width)
}

// leastKey is the least width of a shortened key.
const leastKey = 12

// foldWide lets keys be shortened. Long texts, such as a description beside a name, are folded instead.
func (t *Table) foldWide(width int) {
	full := t.layout(width).full
	for i := range t.Columns {
		c := &t.Columns[i]
		c.Fold = c.Fold || i > 0 && full[i] > width/3
		if !c.Fold && !c.Right {
			c.Least = leastKey
		}
	}
}

// markdownCells returns the cells of a row.
func markdownCells(line string) []string {
	if strings.HasPrefix(line, "|-") {
		return strings.Split(strings.Trim(line, "|"), "|")
	}
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "| "), " |"), " | ")
	for i, cell := range cells {
		cells[i] = unescape.Replace(cell)
	}
	return cells
}

// unescape removes the escapes that keep GitHub's marks and tags from having a meaning.
var unescape = strings.NewReplacer(`\\`, `\`, `\|`, `|`, "\\`", "`", `\<`, `<`, `\](`, `](`)

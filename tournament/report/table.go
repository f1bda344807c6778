package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// Table is figures of one kind, for other programs and for documents.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]any // texts, whole numbers and Figures
}

// add adds a row.
func (t *Table) add(cells ...any) { t.Rows = append(t.Rows, cells) }

// WriteCSV writes tables as comma-separated values: the first column of each is
// its title, a figure that is absent is empty, and an empty line stands between
// two tables. It returns w's error.
func WriteCSV(w io.Writer, tables []Table) error {
	for i, t := range tables {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		c := csv.NewWriter(w)
		rows := [][]string{append([]string{"table"}, t.Columns...)}
		for _, row := range t.Rows {
			rows = append(rows, append([]string{t.Title}, texts(row, 6, "")...))
		}
		if err := c.WriteAll(rows); err != nil {
			return err
		}
	}
	return nil
}

// WriteMarkdown writes tables as those of GitHub's Markdown, each under its title.
// It returns w's error.
func WriteMarkdown(w io.Writer, tables []Table) error {
	var text strings.Builder
	for i, t := range tables {
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "## %s\n\n| %s |\n|%s\n", t.Title, strings.Join(t.Columns, " | "), strings.Repeat("---|", len(t.Columns)))
		for _, row := range t.Rows {
			cells := texts(row, 2, "-")
			for j, cell := range cells {
				cells[j] = strings.ReplaceAll(printable(cell), "|", "\\|")
			}
			fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// texts are the cells of a row, numbers with so many decimals at most.
func texts(row []any, decimals int, absent string) []string {
	var cells []string
	for _, cell := range row {
		switch c := cell.(type) {
		case Figure:
			text := absent
			if !c.Absent() {
				text = decimal(c.Value, decimals)
			}
			cells = append(cells, text)
		case float64:
			cells = append(cells, decimal(c, decimals))
		default:
			cells = append(cells, fmt.Sprint(c))
		}
	}
	return cells
}

package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
)

// Table is a table of figures for other programs and for documents.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]any // strings, ints, float64s and Figures
}

// add adds a row.
func (t *Table) add(cells ...any) { t.Rows = append(t.Rows, cells) }

// WriteCSV writes tables as comma-separated values. The first column of each table is its title,
// absent figures are empty, and an empty line separates tables. It returns w's error.
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
			line := append([]string{t.Title}, cells(row, 6, "")...)
			for j, cell := range line {
				line[j] = plain.CSV(cell)
			}
			rows = append(rows, line)
		}
		if err := c.WriteAll(rows); err != nil {
			return err
		}
	}
	return nil
}

// WriteMarkdown writes tables in GitHub's Markdown, each under its title. It returns
// w's error.
func WriteMarkdown(w io.Writer, tables []Table) error {
	var text strings.Builder
	for i, t := range tables {
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, "## %s\n\n| %s |\n|%s\n", t.Title, strings.Join(t.Columns, " | "), strings.Repeat("---|", len(t.Columns)))
		for _, row := range t.Rows {
			line := cells(row, 2, "-")
			for j, cell := range line {
				line[j] = plain.Markdown(cell)
			}
			fmt.Fprintf(&text, "| %s |\n", strings.Join(line, " | "))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// cells returns the texts of a row. Numbers have at most that many decimals.
func cells(row []any, decimals int, absent string) []string {
	var all []string
	for _, cell := range row {
		switch c := cell.(type) {
		case Figure:
			text := absent
			if !c.Absent() {
				text = decimal(c.Value, decimals)
			}
			all = append(all, text)
		case float64:
			all = append(all, decimal(c, decimals))
		default:
			all = append(all, fmt.Sprint(c))
		}
	}
	return all
}

// plainNumber writes a number with at most two decimals.
func plainNumber(v float64) string { return decimal(v, 2) }

// decimal writes a number with at most that many decimals, 1 or more.
func decimal(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// nameWidth is the greatest number of columns for a name in a table, and leastNameWidth the number
// that it keeps if there is little room.
const (
	nameWidth      = 24
	leastNameWidth = 12
)

// shortened returns a name for a table or a chart: on one line, and without its middle if it is too
// long.
func shortened(name string) string { return terminal.Shorten(printable(name), nameWidth) }

// numbers returns columns of numbers. They continue below if there is too little room.
func numbers(titles ...string) []terminal.Column {
	columns := make([]terminal.Column, len(titles))
	for i, title := range titles {
		columns[i] = terminal.Column{Title: title, Right: true, Fold: true}
	}
	return columns
}

// ranked returns the columns of a table of bots: their rank, their name and numbers.
func ranked(titles ...string) []terminal.Column {
	return append([]terminal.Column{{Right: true}, {Title: "bot", Least: leastNameWidth}}, numbers(titles...)...)
}

// texts returns columns of texts, aligned left. The first one is the key of the rows.
func texts(key string, titles ...string) []terminal.Column {
	columns := []terminal.Column{{Title: key, Least: leastNameWidth}}
	for _, title := range titles {
		columns = append(columns, terminal.Column{Title: title, Fold: true})
	}
	return columns
}

// printable replaces characters that would move a terminal's cursor by escapes as in Go, since a
// name may come from an untrusted file.
func printable(name string) string { return plain.Line(name) }

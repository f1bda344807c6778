package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"versus2048/plain"
)

// Table is a table of figures for other programs and for documents.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]any // strings, ints, float64s and Figures
}

// add adds a row.
func (t *Table) add(cells ...any) { t.Rows = append(t.Rows, cells) }

// WriteCSV writes tables as comma-separated values. The first column of each is
// its title, absent figures are empty, and an empty line separates tables. It returns
// w's error.
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
			cells := append([]string{t.Title}, texts(row, 6, "")...)
			for j, cell := range cells {
				cells[j] = plain.CSV(cell)
			}
			rows = append(rows, cells)
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
			cells := texts(row, 2, "-")
			for j, cell := range cells {
				cells[j] = plain.Markdown(cell)
			}
			fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// texts returns the cells of a row. Numbers have at most that many decimals.
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

// plainNumber writes a number with at most two decimals.
func plainNumber(v float64) string { return decimal(v, 2) }

// decimal writes a number with at most that many decimals, 1 or more.
func decimal(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// newTable returns a table for a terminal, aligned left.
func newTable(text *strings.Builder) *tabwriter.Writer {
	return tabwriter.NewWriter(text, 0, 0, 3, ' ', 0)
}

// padded fills name up to the widest of names, so that names are aligned left in a
// table of numbers that are aligned right.
func padded(name string, names []string) string {
	width := utf8.RuneCountInString("bot")
	for _, n := range names {
		width = max(width, utf8.RuneCountInString(n))
	}
	return fmt.Sprintf("%-*s", width, name)
}

// nameWidth is how many characters of a name fit into a table.
const nameWidth = 24

// shortened returns a name for a table or a chart: on one line, and with its middle
// cut out if it is too long. Specs differ at their end as often as at their beginning.
func shortened(name string) string {
	letters := []rune(printable(name))
	if len(letters) <= nameWidth {
		return string(letters)
	}
	head := (nameWidth - 2) / 2
	tail := nameWidth - 2 - head
	return string(letters[:head]) + ".." + string(letters[len(letters)-tail:])
}

// printable writes characters that would move a terminal's cursor as Go does, since a
// name may come from a file that anybody wrote.
func printable(name string) string { return plain.Line(name) }

package terminal

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"versus2048/internal/text/plain"
)

// shown is a cell with a value for programs and a text for people.
type shown struct {
	value any
	text  string
}

// Shown returns a cell that is the value in CSV and Markdown, and the text for people.
func Shown(value any, text string) any { return shown{value, text} }

// raw is a cell that no form escapes.
type raw string

// Raw returns a cell that every form writes as it is, such as code for Markdown. Escape text of others first.
func Raw(text string) any { return raw(text) }

// figure is a cell with a number that may be absent, such as a report.Figure.
type figure interface {
	Absent() bool
	Text(decimals int) string
}

// form is a way to write cells.
type form struct {
	people   bool
	decimals int    // of numbers, at most
	absent   string // for an absent figure
	escape   func(cell string) string
}

func forPeople() form { return form{people: true, decimals: 2, absent: "-", escape: plain.Line} }

// exact returns the form with all decimals that matter.
func exact(escape func(string) string) form { return form{decimals: 6, escape: escape} }

// cells returns the texts of a row.
func (f form) cells(row []any) []string {
	texts := make([]string, len(row))
	for i, cell := range row {
		texts[i] = f.text(cell)
	}
	return texts
}

func (f form) text(cell any) string {
	switch c := cell.(type) {
	case shown:
		if f.people {
			return f.escape(c.text)
		}
		return f.text(c.value)
	case float64:
		return Decimal(c, f.decimals)
	case figure:
		if c.Absent() {
			return f.absent
		}
		return trimZeros(c.Text(f.decimals))
	case raw:
		return string(c)
	case nil:
		return ""
	}
	return f.escape(fmt.Sprint(cell))
}

// Decimal writes a number with at most that many decimals, which must be 1 or more.
func Decimal(v float64, decimals int) string {
	text := trimZeros(strconv.FormatFloat(v, 'f', decimals, 64))
	if text == "-0" {
		return "0" // no sign for a number that rounds to 0
	}
	return text
}

// trimZeros removes zeros after the last decimal that matters.
func trimZeros(number string) string {
	return strings.TrimSuffix(strings.TrimRight(number, "0"), ".")
}

// names returns the columns' titles in CSV and Markdown.
func (t Table) names() []string {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = cmp.Or(c.Name, c.Title)
	}
	return names
}

// WriteCSV writes the columns' names and then the rows. No cell is a formula for a spreadsheet. It returns w's
// error.
func (t Table) WriteCSV(w io.Writer) error { return csv.NewWriter(w).WriteAll(t.records()) }

func (t Table) records() [][]string {
	records := [][]string{t.names()}
	for _, row := range t.Rows {
		records = append(records, exact(plain.CSV).cells(row))
	}
	return records
}

// WriteMarkdown writes the table as GitHub's Markdown has it. It returns w's error.
func (t Table) WriteMarkdown(w io.Writer) error {
	_, err := io.WriteString(w, t.Markdown())
	return err
}

// Markdown returns the table as WriteMarkdown writes it.
func (t Table) Markdown() string { return t.markdown(exact(plain.Markdown)) }

func (t Table) markdown(f form) string {
	var text strings.Builder
	head, line := "|", "|"
	for i, name := range t.names() {
		head += strings.TrimRight(" "+name, " ") + " |"
		line += map[bool]string{true: "---:|", false: "---|"}[t.Aligned && t.Columns[i].Right]
	}
	text.WriteString(head + "\n" + line + "\n")
	for _, row := range t.Rows {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(f.cells(row), " | "))
	}
	return text.String()
}

// Tables are the tables of one result.
type Tables []Table

// WriteText writes the tables for people, with an empty line between them. It returns w's error.
func (all Tables) WriteText(w io.Writer, width int) error {
	return all.write(w, func(t Table) error { return t.WriteText(w, width) })
}

// WriteCSV writes the tables with an empty line between them. The first column of each has its title. It returns
// w's error.
func (all Tables) WriteCSV(w io.Writer) error {
	return all.write(w, func(t Table) error {
		records, first := t.records(), "table"
		for i, record := range records {
			records[i] = append([]string{first}, record...)
			first = plain.CSV(t.Title)
		}
		return csv.NewWriter(w).WriteAll(records)
	})
}

// WriteMarkdown writes the tables, each under its title, with numbers rounded as for people. It returns w's
// error.
func (all Tables) WriteMarkdown(w io.Writer) error {
	rounded := form{decimals: 2, absent: "-", escape: plain.Markdown}
	return all.write(w, func(t Table) error {
		_, err := fmt.Fprintf(w, "## %s\n\n%s", t.Title, t.markdown(rounded))
		return err
	})
}

// write writes each table, and empty lines between them.
func (all Tables) write(w io.Writer, one func(Table) error) error {
	for i, t := range all {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := one(t); err != nil {
			return err
		}
	}
	return nil
}

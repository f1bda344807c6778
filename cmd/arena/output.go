package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/picture"
	"versus2048/tournament/report"
)

// The formats in which every command prints its result.
const (
	tableFormat    = "table"
	jsonFormat     = "json"
	csvFormat      = "csv"
	markdownFormat = "markdown"
)

// output prints the result of a command in the format that --format names.
type output struct {
	w      io.Writer
	format string
}

// outputFlags are the flags of a command that prints a result. Besides the
// formats of every command it may have more of its own.
func outputFlags(more ...string) []cli.Flag {
	formats := outputFormats(more)
	last := len(formats) - 1
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: tableFormat, Usage: "print the result as " + strings.Join(formats[:last], ", ") + " or " + formats[last]},
		&cli.BoolFlag{Name: "json", Usage: "short for --format json"},
	}
}

// csvFlag is an older way to say --format csv.
func csvFlag() cli.Flag {
	return &cli.BoolFlag{Name: "csv", Hidden: true, Usage: "short for --format csv"}
}

func outputFormats(more []string) []string {
	return append([]string{tableFormat, jsonFormat, csvFormat, markdownFormat}, more...)
}

// newOutput reads outputFlags. It returns a usage error for an unknown format, and
// for flags that contradict each other.
func newOutput(c *cli.Context, more ...string) (output, error) {
	o := output{c.App.Writer, c.String("format")}
	if formats := outputFormats(more); !slices.Contains(formats, o.format) {
		return o, cmdline.Usagef("--format %q: want one of %s", o.format, strings.Join(formats, ", "))
	}
	var given []string
	if c.IsSet("format") {
		given = []string{"--format " + o.format}
	}
	for _, short := range []string{jsonFormat, csvFormat} {
		if c.Bool(short) && !slices.Contains(given, "--format "+short) {
			o.format = short
			given = append(given, "--"+short)
		}
	}
	if len(given) > 1 {
		return o, cmdline.Usagef("%s: give only one of them", strings.Join(given, " and "))
	}
	return o, nil
}

// result is what a command prints.
type result struct {
	value    any                   // written as JSON
	text     func(io.Writer) error // for --format table
	csv      func(io.Writer) error
	markdown func(io.Writer) error
}

// print prints the result in the format of o.
func (o output) print(r result) error {
	switch o.format {
	case jsonFormat:
		return writeJSON(o.w, r.value)
	case csvFormat:
		return r.csv(o.w)
	case markdownFormat:
		return r.markdown(o.w)
	}
	return r.text(o.w)
}

// tabular returns a result whose CSV and Markdown forms are the same table.
func tabular(value any, t table, text func(io.Writer) error) result {
	return result{value: value, text: text, csv: t.writeCSV, markdown: t.writeMarkdown}
}

// table is the main table of a result, for other programs and for documents.
type table struct {
	columns []string
	rows    [][]string
}

// add adds a row. An absent figure becomes an empty cell.
func (t *table) add(cells ...any) {
	var row []string
	for _, cell := range cells {
		row = append(row, cellText(cell))
	}
	t.rows = append(t.rows, row)
}

// cellText formats a cell, numbers with at most six decimals.
func cellText(cell any) string {
	switch c := cell.(type) {
	case float64:
		return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(c, 'f', 6, 64), "0"), ".")
	case report.Figure:
		if c.Absent() {
			return ""
		}
		return cellText(c.Value)
	}
	return fmt.Sprint(cell)
}

// writeCSV writes the columns' names and then the rows.
func (t table) writeCSV(w io.Writer) error {
	return csv.NewWriter(w).WriteAll(append([][]string{t.columns}, t.rows...))
}

// writeMarkdown writes a table as GitHub's Markdown has it.
func (t table) writeMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "| %s |\n|%s\n", strings.Join(t.columns, " | "), strings.Repeat("---|", len(t.columns)))
	escape := strings.NewReplacer("|", "\\|", "\r", " ", "\n", " ")
	for _, row := range t.rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = escape.Replace(cell)
		}
		fmt.Fprintf(&text, "| %s |\n", strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// document is a report on an analysis or an experiment that is also published as
// files. Its value is written as JSON.
type document interface {
	WriteMarkdown(w io.Writer) error
	WritePlot(w io.Writer, format string) error
}

// csvDocument is a document with more numbers than its Markdown shows.
type csvDocument interface {
	document
	WriteCSV(w io.Writer) error
}

// documentResult returns the result of a command that reports a document, whose
// Markdown serves as its table, too.
func documentResult(d csvDocument) result {
	return result{value: d, text: d.WriteMarkdown, csv: d.WriteCSV, markdown: d.WriteMarkdown}
}

// writeDocument writes a document into a folder in every format that it has: as
// NAME.md, NAME.json, NAME.svg, NAME.png and, where it has the numbers, NAME.csv.
// It does nothing if the folder is "".
func writeDocument(folder, name string, d document) error {
	if folder == "" {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder of --out: %w", err)
	}
	forms := map[string]func(io.Writer) error{
		"md":        d.WriteMarkdown,
		"json":      func(w io.Writer) error { return writeJSON(w, d) },
		picture.SVG: func(w io.Writer) error { return d.WritePlot(w, picture.SVG) },
		picture.PNG: func(w io.Writer) error { return d.WritePlot(w, picture.PNG) },
	}
	if numbers, ok := d.(csvDocument); ok {
		forms["csv"] = numbers.WriteCSV
	}
	for form, write := range forms {
		if err := writeFile(filepath.Join(folder, name+"."+form), write); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

// writeFile creates or overwrites a file.
func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

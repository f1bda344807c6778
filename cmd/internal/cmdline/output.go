package cmdline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/internal/disk"
	"versus2048/internal/text/plain"
	"versus2048/internal/text/terminal"
	"versus2048/tournament/report"
)

// The formats of all commands that print a result.
const (
	TableFormat    = "table"
	JSONFormat     = "json"
	CSVFormat      = "csv"
	MarkdownFormat = "markdown"
)

// Output prints the result of a command in the format that --format names.
type Output struct {
	Writer io.Writer
	Format string // TableFormat, JSONFormat, CSVFormat, MarkdownFormat or one of the command's own
	Width  int    // of the terminal, for TableFormat: see terminal.WidthOf
	Height int    // of the terminal: see terminal.HeightOf
}

// OutputFlags returns the flags of a command that prints a result. more are further formats of this command.
func OutputFlags(more ...string) []cli.Flag {
	formats := outputFormats(more)
	last := len(formats) - 1
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Value: TableFormat, Usage: printedAs + strings.Join(formats[:last], ", ") + " or " + formats[last]},
		&cli.BoolFlag{Name: "json", Usage: "short for --format json"},
	}
}

// printedAs begins the usage of --format.
const printedAs = "print the result as "

// formatsOf returns the formats of a flag of OutputFlags, and nil for another flag.
func formatsOf(flag cli.Flag) []string {
	text, ok := flag.(*cli.StringFlag)
	if !ok || !strings.HasPrefix(text.Usage, printedAs) {
		return nil
	}
	return strings.Split(strings.ReplaceAll(strings.TrimPrefix(text.Usage, printedAs), " or ", ", "), ", ")
}

// CSVFlag returns --csv, an older form of --format csv.
func CSVFlag() cli.Flag {
	return &cli.BoolFlag{Name: "csv", Hidden: true, Usage: "short for --format csv"}
}

func outputFormats(more []string) []string {
	return append([]string{TableFormat, JSONFormat, CSVFormat, MarkdownFormat}, more...)
}

// ReadOutput reads OutputFlags, and CSVFlag if the command has it. It returns a usage error for an unknown format, or
// for flags that contradict each other.
func ReadOutput(c *cli.Context, more ...string) (Output, error) {
	o := Output{c.App.Writer, c.String("format"), terminal.WidthOf(c.App.Writer), terminal.HeightOf(c.App.Writer)}
	if formats := outputFormats(more); !slices.Contains(formats, o.Format) {
		return o, Usagef("--format %q: want one of %s", o.Format, strings.Join(formats, ", "))
	}
	var given []string
	if c.IsSet("format") {
		given = []string{"--format " + o.Format}
	}
	for _, short := range []string{JSONFormat, CSVFormat} {
		if c.Bool(short) && !slices.Contains(given, "--format "+short) {
			o.Format = short
			given = append(given, "--"+short)
		}
	}
	if len(given) > 1 {
		return o, Usagef("%s: give only one of them", strings.Join(given, " and "))
	}
	return o, nil
}

// Printing returns the action of a command that has OutputFlags(more...). It first checks the command's [Arguments].
func Printing(action func(*cli.Context, Output) error, more ...string) cli.ActionFunc {
	return WithArguments(func(c *cli.Context) error {
		out, err := ReadOutput(c, more...)
		if err != nil {
			return err
		}
		return action(c, out)
	})
}

// Result is the output of a command, in its forms.
type Result struct {
	Value    any                   // written as JSON
	Text     func(io.Writer) error // for --format table; nil means the Markdown, fitted to the terminal
	CSV      func(io.Writer) error
	Markdown func(io.Writer) error
}

// Print prints the result in the format of o. It prints further formats of the command as text.
func (o Output) Print(r Result) error {
	switch o.Format {
	case JSONFormat:
		return WriteJSON(o.Writer, r.Value)
	case CSVFormat:
		return r.CSV(o.Writer)
	case MarkdownFormat:
		return r.Markdown(o.Writer)
	}
	if r.Text == nil {
		var text strings.Builder
		if err := r.Markdown(&text); err != nil {
			return err
		}
		_, err := io.WriteString(o.Writer, terminal.Markdown(text.String(), o.Width))
		return err
	}
	return r.Text(o.Writer)
}

// Tabular returns a result with one table, or several, for its CSV and its Markdown.
func Tabular(value any, t report.Tables, text func(io.Writer) error) Result {
	return Result{Value: value, Text: text, CSV: t.WriteCSV, Markdown: t.WriteMarkdown}
}

// PrintTable prints shown as text, t as CSV or Markdown, and value as JSON. t and shown may be the same.
func (o Output) PrintTable(value any, t, shown report.Tables) error {
	return o.Print(Tabular(value, t, func(w io.Writer) error { return shown.WriteText(w, o.Width) }))
}

// WriteJSON writes a value as indented JSON. It escapes characters that a terminal might take for a command, as JSON
// allows.
func WriteJSON(w io.Writer, value any) error {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, plain.JSON(text.String()))
	return err
}

// ForceFlag returns --force, for commands that write files with names from the user.
func ForceFlag() cli.Flag {
	return &cli.BoolFlag{Name: "force", Usage: "replace files that are there already"}
}

// WriteFile writes a file whole or not at all. Without force it refuses to replace one.
func WriteFile(path string, force bool, write func(io.Writer) error) error {
	return Existing(disk.Write(path, force, write))
}

// CheckFile returns the error that WriteFile would return before it writes, so that a command can fail before its work.
// It returns nil for "", which means no file.
func CheckFile(path string, force bool) error {
	if path == "" {
		return nil
	}
	return Existing(disk.Check(path, force))
}

// Existing adds advice to the error for an existing file.
func Existing(err error) error {
	if exists := (*disk.ExistsError)(nil); errors.As(err, &exists) {
		return fmt.Errorf("%w: choose another name, or replace it with --force", err)
	}
	return err
}

package labcmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/terminal"
	"versus2048/lab/picture"
)

// document is a report on an analysis or an experiment that is also published as files. Its value is written as JSON.
type document interface {
	// WriteMarkdown writes the report as a page.
	WriteMarkdown(w io.Writer) error
	// WritePlot writes the report's figures in a format such as picture.SVG.
	WritePlot(w io.Writer, format string) error
}

// numbersDocument is a document with more numbers than its Markdown shows.
type numbersDocument interface {
	document
	// WriteCSV writes the numbers.
	WriteCSV(w io.Writer) error
}

// documentResult returns the result of a command that reports a document. --format table shows the Markdown, fitted to
// the terminal.
func documentResult(out cmdline.Output, d numbersDocument) cmdline.Result {
	return cmdline.Result{Value: d, CSV: d.WriteCSV, Markdown: d.WriteMarkdown, Text: fitted(out.Width, d)}
}

// fitted returns a function that writes a document for a terminal of that width, or as it is for width 0.
func fitted(width int, d document) func(io.Writer) error {
	return func(w io.Writer) error {
		var text strings.Builder
		if err := d.WriteMarkdown(&text); err != nil {
			return err
		}
		page := text.String()
		if width > 0 {
			page = joinLines(page)
		}
		_, err := io.WriteString(w, terminal.Markdown(page, width))
		return err
	}
}

// joinLines makes each paragraph one line: its lines would otherwise wrap for the terminal once more. Lines of tables
// and of lists stay.
func joinLines(page string) string {
	var joined strings.Builder
	before := false // whether the last line was one of a paragraph
	for line := range strings.Lines(page) {
		prose := strings.TrimSpace(line) != "" && !strings.ContainsRune("|-#> ", rune(line[0]))
		switch {
		case prose && before:
			joined.WriteString(" ")
		case before:
			joined.WriteString("\n")
		}
		before = prose
		if prose {
			line = strings.TrimSuffix(line, "\n")
		}
		joined.WriteString(line)
	}
	if before {
		joined.WriteString("\n")
	}
	return joined.String()
}

// reportFolder is the folder of --out, into which a command writes its report.
type reportFolder struct {
	path  string // "" for none
	force bool   // whether to replace files
}

// documentFlags are --out and --force. forms lists the forms of a report.
func documentFlags(forms string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "also write the report into this folder, as " + forms},
		cmdline.ForceFlag(),
	}
}

// readReportFolder reads documentFlags.
func readReportFolder(c *cli.Context) reportFolder {
	return reportFolder{c.String("out"), c.Bool("force")}
}

// documentForms are the forms that a document may have, as extensions of file names.
var documentForms = []string{"md", "json", picture.SVG, picture.PNG, "csv"}

// Check returns an error if a document with this name would replace a file, before the work begins.
func (f reportFolder) Check(name string) error {
	if _, err := os.Stat(f.path); f.path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, form := range documentForms {
		if err := cmdline.CheckFile(filepath.Join(f.path, name+"."+form), f.force); err != nil {
			return fmt.Errorf("the report: %w", err)
		}
	}
	return nil
}

// Write writes a document in each of its forms: as NAME.md, NAME.json, NAME.svg, NAME.png and, if it has numbers,
// NAME.csv. It does nothing without a folder.
func (f reportFolder) Write(name string, d document) error {
	if f.path == "" {
		return nil
	}
	// #nosec G301 -- figures, for anybody
	if err := os.MkdirAll(f.path, 0o755); err != nil {
		return fmt.Errorf("the folder of --out: %w", err)
	}
	for _, form := range documentForms {
		write := map[string]func(io.Writer) error{
			"md":        d.WriteMarkdown,
			"json":      func(w io.Writer) error { return cmdline.WriteJSON(w, d) },
			picture.SVG: func(w io.Writer) error { return d.WritePlot(w, picture.SVG) },
			picture.PNG: func(w io.Writer) error { return d.WritePlot(w, picture.PNG) },
		}[form]
		if write == nil {
			numbers, ok := d.(numbersDocument)
			if !ok {
				continue
			}
			write = numbers.WriteCSV
		}
		if err := cmdline.WriteFile(filepath.Join(f.path, name+"."+form), f.force, write); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

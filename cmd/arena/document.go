package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/picture"
)

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
func documentResult(d csvDocument) cmdline.Result {
	return cmdline.Result{Value: d, CSV: d.WriteCSV, Markdown: d.WriteMarkdown}
}

// documentFolder is the folder of --out, into which a command writes its report.
type documentFolder struct {
	path  string // "" for none
	force bool   // whether to replace files
}

// documentFlags are --out and --force. files says which forms a report has.
func documentFlags(forms string) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "out", Usage: "also write the report into this folder, as " + forms},
		cmdline.ForceFlag(),
	}
}

func readDocumentFolder(c *cli.Context) documentFolder {
	return documentFolder{c.String("out"), c.Bool("force")}
}

// documentForms are the forms that a document may have, by the ends of their files' names.
var documentForms = []string{"md", "json", picture.SVG, picture.PNG, "csv"}

// check returns an error if a document with this name would replace a file, before the work begins.
func (f documentFolder) check(name string) error {
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

// write writes a document in every format that it has: as NAME.md, NAME.json, NAME.svg, NAME.png and,
// where it has the numbers, NAME.csv. It does nothing without a folder.
func (f documentFolder) write(name string, d document) error {
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
			numbers, ok := d.(csvDocument)
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

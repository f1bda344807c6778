package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	return cmdline.Result{Value: d, Text: d.WriteMarkdown, CSV: d.WriteCSV, Markdown: d.WriteMarkdown}
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
		"json":      func(w io.Writer) error { return cmdline.WriteJSON(w, d) },
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

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"versus2048/picture"
)

// outcome is what comes of an experiment. It is its own JSON.
type outcome interface {
	WriteMarkdown(w io.Writer) error
	WritePlot(w io.Writer, format string) error
}

// series is an outcome with more numbers than a table has room for.
type series interface {
	WriteCSV(w io.Writer) error
}

// showReport prints an outcome, and writes it into the folder that --out names.
func showReport(c *cli.Context, name string, o outcome) error {
	if folder := c.String("out"); folder != "" {
		if err := writeReport(folder, name, o); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, o)
	}
	return o.WriteMarkdown(c.App.Writer)
}

// writeReport writes an outcome in every form.
func writeReport(folder, name string, o outcome) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("the folder of --out: %w", err)
	}
	forms := map[string]func(io.Writer) error{
		"md":        o.WriteMarkdown,
		"json":      func(w io.Writer) error { return writeJSON(w, o) },
		picture.SVG: func(w io.Writer) error { return o.WritePlot(w, picture.SVG) },
		picture.PNG: func(w io.Writer) error { return o.WritePlot(w, picture.PNG) },
	}
	if s, ok := o.(series); ok {
		forms["csv"] = s.WriteCSV
	}
	for form, write := range forms {
		if err := writeFile(filepath.Join(folder, name+"."+form), write); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	return nil
}

func writeFile(path string, write func(io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

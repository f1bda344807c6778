package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

// eventFile is an event's file with every key and its default.
//
//go:embed event.toml
var eventFile string

// initTournament writes eventFile, never over another file.
func initTournament(c *cli.Context) error {
	if c.Args().Len() == 0 {
		_, err := fmt.Fprint(c.App.Writer, eventFile)
		return err
	}
	if err := cmdline.Arguments(c, "FILE"); err != nil {
		return err
	}
	path := c.Args().First()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already: name a new file", path)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(eventFile)
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s: change it as you like, then: %s tournament run --config %s\n", path, program(), quote(path))
	return err
}

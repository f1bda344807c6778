package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write an event with all its games into a file, for: arena import",
		ArgsUsage: "EVENT FILE",
		Description: "The file has a line of JSON for the header, for each game (games in progress too) and\n" +
			"for the checksum at the end. It is compressed if its name ends in .gz.",
		Flags:  []cli.Flag{dbFlag(), cmdline.ForceFlag()},
		Action: exportEvent,
	}
}

func importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "record the event of a file from arena export, under a new number",
		ArgsUsage: "FILE",
		Description: "The event is recorded whole or not at all: a damaged file is refused, and so is an event\n" +
			"that the database has already.",
		Flags:  []cli.Flag{dbFlag()},
		Action: importEvent,
	}
}

func exportEvent(c *cli.Context) error {
	if err := cmdline.Arguments(c, "EVENT", "FILE"); err != nil {
		return err
	}
	id, err := parseNumber("EVENT", c.Args().First())
	if err != nil {
		return err
	}
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	path := c.Args().Get(1)
	var t results.Transfer
	err = createFile(path, c.Bool("force"), func(w io.Writer) (err error) {
		t, err = store.Export(c.Context, w, id)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "event %d, %q: %s in %s\n", t.Event, t.Name, transferred(t), path)
	return err
}

// transferred returns a text such as "12 games, 2 of them in progress".
func transferred(t results.Transfer) string {
	text := fmt.Sprintf("%d games", t.Games)
	if t.Unfinished > 0 {
		text += fmt.Sprintf(", %d of them in progress", t.Unfinished)
	}
	return text
}

// createFile writes a file, compressed if its name ends in .gz.
func createFile(path string, force bool, write func(io.Writer) error) error {
	return cmdline.WriteFile(path, force, func(w io.Writer) error {
		if !strings.HasSuffix(path, ".gz") {
			return write(w)
		}
		packed := gzip.NewWriter(w)
		return errors.Join(write(packed), packed.Close())
	})
}

func importEvent(c *cli.Context) error {
	if err := cmdline.Arguments(c, "FILE"); err != nil {
		return err
	}
	path := c.Args().First()
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := unpacked(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	store, err := results.Open(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	t, err := store.Import(c.Context, r)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = fmt.Fprintf(c.App.Writer, "event %d, %q: %s from %s\n", t.Event, t.Name, transferred(t), path)
	return err
}

// unpacked decompresses r if it is compressed, whatever its name.
func unpacked(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

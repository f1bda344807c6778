package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/disk"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/results/parquet"
	"versus2048/rules/record"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name:      "export",
		Usage:     "write an event with all its games into a file, for: arena import",
		ArgsUsage: "EVENT FILE|-|FOLDER",
		Description: "The file has a line of JSON for the header, for each game (games in progress too) and\n" +
			"for the checksum at the end. It is compressed if its name ends in .gz. - stands for the\n" +
			"standard output.\n" +
			"With --format parquet the games become three tables in a folder, for Python, R, DuckDB and\n" +
			"the like: games.parquet, plies.parquet and searches.parquet. arena import cannot read them.",
		Flags: slices.Concat([]cli.Flag{hosting.DatabaseFlag()}, hosting.ReaderFlags(), []cli.Flag{
			&cli.StringFlag{Name: "format", Value: linesFormat, Usage: "write " + linesFormat + " (lines of JSON) or " + parquetFormat},
			cmdline.ForceFlag(),
		}),
		Action: onRecord(onEvent(exportEvent)),
	}
}

// The formats of an export.
const (
	linesFormat   = "jsonl"
	parquetFormat = "parquet"
)

func importCommand() *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "record the event of a file from arena export, under a new number",
		ArgsUsage: "FILE|-",
		Description: "The event is recorded whole or not at all: a damaged file is refused, and so is an event\n" +
			"that the database has already, or one that would leave too little room on the disk. -\n" +
			"stands for the standard input.",
		Flags: []cli.Flag{
			hosting.DatabaseFlag(),
			&cli.StringFlag{Name: "keep-free", Value: "512MiB", Usage: "the room that must stay free on the database's disk; 0B for none"},
		},
		Action: cmdline.WithArguments(importEvent),
	}
}

func exportEvent(c *cli.Context, id int64) error {
	formats := map[string]func(*cli.Context, *results.Reader, int64, string) error{linesFormat: exportLines, parquetFormat: exportTables}
	export, known := formats[c.String("format")]
	if !known {
		return cmdline.Usagef("--format %q: want %s or %s", c.String("format"), linesFormat, parquetFormat)
	}
	remote, err := hosting.Reads(c)
	if err != nil {
		return err
	}
	if remote {
		return export(c, nil, id, c.Args().Get(1))
	}
	store, err := results.OpenReader(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	return export(c, store, id, c.Args().Get(1))
}

// exportLines writes an event as lines of JSON. Without a store the event comes from a running arena.
func exportLines(c *cli.Context, store *results.Reader, id int64, path string) (err error) {
	var t results.Transfer
	write := func(w io.Writer) (err error) {
		if store == nil {
			t, err = downloadLines(c, w, id)
		} else {
			t, err = store.Export(c.Context, w, id)
		}
		return err
	}
	told := c.App.Writer
	if path == stdio {
		told, path = c.App.ErrWriter, "the standard output"
		err = writeSpooled(c.App.Writer, write)
	} else {
		err = createFile(path, c.Bool("force"), write)
	}
	if err != nil {
		return err
	}
	return tellTransfer(told, t, "in "+path)
}

// exportTables writes an event as tables into a folder, and makes the folder if it is missing. Without a store the
// event comes from a running arena.
func exportTables(c *cli.Context, store *results.Reader, id int64, folder string) error {
	if folder == stdio {
		return cmdline.Usagef("--format %s writes three files: name a folder for them", parquetFormat)
	}
	if store != nil {
		return writeGameTables(c, store, id, folder, results.Transfer{Event: id}, nil)
	}
	copied, err := copyEvent(c, id)
	if err != nil {
		return err
	}
	defer copied.close()
	numbers, err := originalNumbers(c, id)
	if err != nil {
		return err
	}
	return writeGameTables(c, copied.store.Reader, copied.event, folder, results.Transfer{Event: id}, numbers)
}

// writeGameTables writes the tables of an event in a store. numbers has the games' numbers on the arena if the store is
// a copy.
func writeGameTables(c *cli.Context, store *results.Reader, id int64, folder string, t results.Transfer, numbers map[[2]int]int64) error {
	event, err := store.Event(c.Context, id)
	if err != nil {
		return err
	}
	header, err := store.Header(c.Context, id)
	if err != nil {
		return err
	}
	t.Name = event.Name
	from := parquet.Source{Event: header, Version: cmdline.Version()}
	if err := parquet.WriteFolder(folder, c.Bool("force"), from, func(w *parquet.Writer) error {
		return store.Games(c.Context, results.Filter{Event: id, Searches: true, Scored: true}, func(g results.Stored) error {
			t.Games++
			if g.Record.Ending == record.Unfinished {
				t.Unfinished++
			}
			if numbers != nil {
				if err := numbered(&g, numbers); err != nil {
					return err
				}
			}
			return w.Write(g)
		})
	}); err != nil {
		return cmdline.Existing(fmt.Errorf("exporting event %d: %w", t.Event, err))
	}
	return tellTransfer(c.App.Writer, t, "in "+folder)
}

// tellTransfer prints a line such as `event 3, "cup": 12 games, 2 of them in progress in cup.jsonl`.
func tellTransfer(w io.Writer, t results.Transfer, place string) error {
	text := terminal.Count(t.Games, "game", "games")
	if t.Unfinished > 0 {
		text += fmt.Sprintf(", %d of them in progress", t.Unfinished)
	}
	_, err := fmt.Fprintf(w, "event %d, %q: %s %s\n", t.Event, t.Name, text, place)
	return err
}

// stdio is the name for the standard input and the standard output.
const stdio = "-"

// openInput opens a file or the standard input. Reads of the standard input end with the command's context. Other pipes
// are refused.
func openInput(c *cli.Context, path string) (io.ReadCloser, error) {
	if path == stdio {
		return io.NopCloser(interruptible{c.Context, c.App.Reader}), nil
	}
	file, _, err := disk.Open(path)
	if errors.Is(err, disk.ErrNotRegular) {
		return nil, fmt.Errorf("%w: name a file, or %s for the standard input", err, stdio)
	}
	return file, err
}

// shownInput returns the name of an input for people.
func shownInput(path string) string {
	if path == stdio {
		return "the standard input"
	}
	return path
}

// interruptible is a reader of text that a person may be typing. A read ends when ctx does.
type interruptible struct {
	ctx context.Context
	r   io.Reader
}

// Read reads from r. When it returns the error of ctx, a read of r may still be waiting.
func (i interruptible) Read(p []byte) (int, error) {
	type read struct {
		text []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text := make([]byte, len(p)) // p is the caller's again when Read returns
		n, err := i.r.Read(text)
		done <- read{text[:n], err}
	}()
	select {
	case r := <-done:
		return copy(p, r.text), r.err
	case <-i.ctx.Done():
		return 0, i.ctx.Err()
	}
}

// writeSpooled writes to a temporary file first, and then copies the file to w. While an export reads a database, the
// database's log only grows, so the export must not wait for a slow reader of w.
func writeSpooled(w io.Writer, write func(io.Writer) error) error {
	spool, err := os.CreateTemp("", "versus2048-export-*")
	if err != nil {
		return err
	}
	defer os.Remove(spool.Name())
	defer spool.Close()
	buffered := bufio.NewWriter(spool)
	if err := errors.Join(write(buffered), buffered.Flush()); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err = io.Copy(w, spool)
	return err
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
	keepFree, err := cmdline.ParseBytes(c.String("keep-free"))
	if err != nil {
		return cmdline.Usagef("--keep-free: %w", err)
	}
	file, err := openInput(c, c.Args().First())
	if err != nil {
		return err
	}
	defer file.Close()
	path := shownInput(c.Args().First())
	r, err := unpacked(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	store, err := results.Open(c.Context, c.String("db"))
	if err != nil {
		return err
	}
	defer store.Close()
	t, err := store.Import(c.Context, r, keepFree)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return tellTransfer(c.App.Writer, t, "from "+path)
}

// unpacked decompresses r if it is compressed. The name of the file does not matter.
func unpacked(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(r)
	if magic, _ := buffered.Peek(2); string(magic) != "\x1f\x8b" {
		return buffered, nil
	}
	return gzip.NewReader(buffered)
}

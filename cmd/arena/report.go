package main

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/web/archive"
	"versus2048/internal/web/drawing"
	"versus2048/results"
)

func reportCommand() *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "write one page about an event: podium, tables, the best games as animations, faults and facts",
		ArgsUsage: "[EVENT]",
		Description: "By default EVENT is the newest event that is over. The page of HTML needs no other file and loads nothing, so that it can be\n" +
			"sent, posted and printed. The Markdown is for forums: it has the final positions in place of the animations.\n" +
			"The file is named after the event, such as cup.html, unless --out names another one; - stands for the standard output.",
		Flags: slices.Concat([]cli.Flag{hosting.DatabaseFlag()}, hosting.ReaderFlags(), []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "write this file, or - for the standard output (default: NAME.html or NAME.md in this folder)"},
			&cli.StringFlag{Name: "format", Value: "html", Usage: "write " + strings.Join(archive.ReportForms(), " or ")},
			&cli.StringFlag{Name: "link", Usage: "the address of an arena with these games, for links to them; with --server the links lead to that arena"},
			cmdline.ForceFlag(),
		}),
		Action: onRecord(cmdline.WithArguments(writeReport)),
	}
}

func writeReport(c *cli.Context) error {
	form, known := archive.ReportFormOf(c.String("format"))
	if !known {
		return cmdline.Usagef("--format %q: want %s", c.String("format"), strings.Join(archive.ReportForms(), " or "))
	}
	link, err := readLink(c.String("link"))
	if err != nil {
		return err
	}
	var id int64
	if c.Args().Present() {
		if id, err = parseNumber("EVENT", c.Args().First()); err != nil {
			return err
		}
	}
	_, err = read(c, func(arena *server.Client) (struct{}, error) {
		if link != "" {
			return struct{}{}, cmdline.Usagef("--link and --server: give only one of them, since links lead to the running arena")
		}
		return struct{}{}, remoteReport(c, arena, id, form)
	}, func(store *results.Reader) (struct{}, error) {
		return struct{}{}, localReport(c, store, id, form, link)
	})
	return err
}

// readLink returns the address in front of links to games, "" for none.
func readLink(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return "", cmdline.Usagef("--link %q: want the address of an arena, such as https://arena.example.org", text)
	}
	return strings.TrimSuffix(u.String(), "/"), nil
}

// localReport writes the report of an event in a database.
func localReport(c *cli.Context, store *results.Reader, id int64, form archive.ReportForm, link string) error {
	if id == 0 {
		var err error
		if id, err = newestOver(c, store); err != nil {
			return err
		}
	}
	e, err := store.Event(c.Context, id)
	if err != nil {
		return err
	}
	return saveReport(c, id, e.Name, form, func(w io.Writer) error {
		artist, err := drawing.NewArtist()
		if err != nil {
			return err
		}
		made, err := archive.NewReport(c.Context, store, id, artist)
		if err != nil {
			return err
		}
		return form.Write(made, w, link)
	})
}

// newestOver returns the number of the newest event that is over.
func newestOver(c *cli.Context, store *results.Reader) (int64, error) {
	ids, err := store.EventsAfter(c.Context, 0)
	for _, id := range slices.Backward(ids) {
		p, err := store.Progress(c.Context, id)
		if err != nil || p.Over {
			return id, err
		}
	}
	if err != nil {
		return 0, err
	}
	return 0, noneOver(c.String("db"))
}

func noneOver(place string) error {
	return fmt.Errorf("no event of %s is over: for a report on an event in progress, give its number: arena report EVENT", place)
}

// remoteReport writes the report that a running arena makes.
func remoteReport(c *cli.Context, arena *server.Client, id int64, form archive.ReportForm) error {
	var found archive.Line
	err := eachRemoteEvent(c, func(l *archive.Line) (more bool) {
		if id == l.Event || id == 0 && l.State == server.Finished {
			found = *l
		}
		return found.Event == 0
	})
	switch {
	case err != nil:
		return err
	case found.Event == 0 && id == 0:
		return noneOver(c.String("server"))
	case found.Event == 0:
		return fmt.Errorf("there is no event %d on %s; list its events with: arena event list --server %[2]s", id, c.String("server"))
	}
	return saveReport(c, found.Event, found.Name, form, func(w io.Writer) error {
		page, err := arena.Report(c.Context, found.Event, c.String("format"))
		if err != nil {
			return err
		}
		defer page.Close()
		_, err = io.Copy(w, page)
		return err
	})
}

// saveReport writes a report to its file, and prints the name of the file.
func saveReport(c *cli.Context, id int64, name string, form archive.ReportForm, write func(io.Writer) error) error {
	path := c.String("out")
	switch path {
	case stdio:
		return write(c.App.Writer)
	case "":
		path = fileName(name, id) + form.Extension
	}
	if err := cmdline.CheckFile(path, c.Bool("force")); err != nil {
		return err
	}
	if err := cmdline.WriteFile(path, c.Bool("force"), write); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.App.Writer, "event %d, %q: the report is in %s\n", id, name, cmdline.Quote(path))
	return err
}

// longestName is the largest number of letters in a file's name that is made from the name of an event.
const longestName = 60

// fileName returns the name of an event as the name of a file: letters and digits with hyphens between them.
func fileName(name string, id int64) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	letters := []rune(strings.Join(words, "-"))
	if letters = letters[:min(longestName, len(letters))]; len(letters) == 0 {
		return fmt.Sprintf("event-%d", id)
	}
	return strings.TrimSuffix(string(letters), "-")
}

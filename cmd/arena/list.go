package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/internal/server"
	"versus2048/internal/text/terminal"
	"versus2048/internal/web/archive"
	"versus2048/results"
)

// lookFlags name the running arena or the database that a command reads.
func lookFlags() []cli.Flag {
	return []cli.Flag{
		hosting.ArenaFlag(),
		hosting.OperatorFlag(),
		&cli.StringFlag{Name: "db", Usage: "look at a database instead, even while an arena uses it"},
	}
}

// orDatabase adds advice on reading a database to err, unless the user has named an arena or a database.
func orDatabase(c *cli.Context, err error) error {
	if err == nil || c.IsSet("server") || c.IsSet("db") {
		return err
	}
	return fmt.Errorf("%w\nwithout an arena, look at its database: arena event %s --db %s", err, c.Command.Name, hosting.DefaultDatabase)
}

type eventRow struct {
	server.Progress
	Created string  `json:"created"`
	Rules   string  `json:"rules"`
	Size    string  `json:"size"`
	Seed    *uint64 `json:"seed,omitempty"` // nil if a running arena keeps it secret
	Format  string  `json:"format"`
}

// rowOf returns the row of an event on record.
func rowOf(l *archive.Line) eventRow {
	p := server.Progress{Event: l.Event, Name: l.Name, State: l.State, Done: l.Done, Total: l.Total, Bound: l.Bound, Playing: l.Playing}
	return eventRow{p, l.Created.Format(time.DateTime), l.Rules, l.Size, l.Seed, l.Format}
}

func listEvents(c *cli.Context, out cmdline.Output) error {
	events, err := knownEvents(c)
	if err != nil {
		return err
	}
	if len(events) == 0 && out.Format == cmdline.TableFormat {
		_, err := fmt.Fprintln(out.Writer, "no event has been played here yet; play one with: "+runHere(c))
		return err
	}
	return out.Print(cmdline.Tabular(events, progressTable(events), func(w io.Writer) error { return writeProgress(w, events, out.Width, placeOf(c)) }))
}

// knownEvents returns all events of a running arena or of a database, the oldest first.
func knownEvents(c *cli.Context) ([]eventRow, error) {
	rows, err := read(c, func(*server.Client) ([]eventRow, error) { return remoteRows(c) }, func(store *results.Reader) ([]eventRow, error) {
		events, err := store.Events(c.Context)
		rows := []eventRow{}
		for _, e := range events {
			l := archive.LineOf(&e)
			rows = append(rows, rowOf(&l))
		}
		return rows, err
	})
	return rows, orDatabase(c, err)
}

// remoteRows returns all events of a running arena, the oldest first. If an unfinished event has waited or been played
// since the arena started, its row has the progress that the arena reports.
func remoteRows(c *cli.Context) ([]eventRow, error) {
	rows := []eventRow{}
	err := eachRemoteEvent(c, func(l *archive.Line) (more bool) {
		rows = append(rows, rowOf(l))
		return true
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(rows)
	played, err := hosting.NewClient(c).Events(c.Context)
	for _, p := range played {
		if i := slices.IndexFunc(rows, func(r eventRow) bool { return r.Event == p.Event }); i >= 0 && p.State != server.Finished {
			rows[i].Progress = p
		}
	}
	return rows, err
}

func progressTable(events []eventRow) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("event", "state", "done", "total", "bound", "playing", "name", "message", "created", "rules", "size", "seed", "format")}
	for _, e := range events {
		var seed any
		if e.Seed != nil {
			seed = *e.Seed
		}
		t.Add(e.Event, e.State, e.Done, e.Total, e.Bound, e.Playing, e.Name, e.Message, e.Created, e.Rules, e.Size, seed, e.Format)
	}
	return t
}

// writeProgress writes a table of events. place is the flag that names their arena or database.
func writeProgress(w io.Writer, events []eventRow, width int, place string) error {
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "event"}, {Title: "state", Drop: 3}, {Title: "games"}, {Title: "created", Drop: 4}, {Title: "rules", Drop: 2}, {Title: "size", Drop: 1}, {Title: "name", Least: 16},
	}}
	for _, e := range events {
		table.Add(e.Event, e.State, e.Bound.Of(e.Done, e.Total), e.Created, e.Rules, e.Size, e.Name)
	}
	if slices.ContainsFunc(events, func(e eventRow) bool { return e.Message != "" }) {
		table.Columns = append(table.Columns, terminal.Column{Title: "message", Least: 16})
		for i, e := range events {
			table.Rows[i] = append(table.Rows[i], e.Message)
		}
	}
	_, err := fmt.Fprintln(w, table.Text(width)+"\nThe games of an event: arena games --event N "+place)
	return err
}

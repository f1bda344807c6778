package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/hosting"
	"versus2048/cmd/internal/running"
	"versus2048/internal/server"
	"versus2048/internal/text/terminal"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament/format"
)

// lookFlags name the running arena or the database that a command reads.
func lookFlags() []cli.Flag {
	return []cli.Flag{
		running.ArenaFlag(),
		running.OperatorFlag(),
		&cli.StringFlag{Name: "db", Usage: "look at a database instead, even while an arena uses it"},
	}
}

// onDatabase reports whether a command reads a database.
func onDatabase(c *cli.Context) (bool, error) {
	if c.IsSet("db") && c.IsSet("server") {
		return false, cmdline.Usagef("--db and --server: give only one of them")
	}
	return c.IsSet("db"), nil
}

// orDatabase adds advice on reading a database to an error of a running arena that the user has not named.
func orDatabase(c *cli.Context, err error) error {
	if err == nil || c.IsSet("server") {
		return err
	}
	return fmt.Errorf("%w\nwithout an arena, look at its database: arena event %s --db %s", err, c.Command.Name, hosting.DefaultDatabase)
}

// eventRow is an event in the list.
type eventRow struct {
	server.Progress
	*eventFacts // nil for an event on a running arena
}

// eventFacts are the facts in the list that only a database has.
type eventFacts struct {
	Created string        `json:"created"`
	Rules   rules.Ruleset `json:"rules"`
	Size    rules.Size    `json:"size"`
	Seed    uint64        `json:"seed"`
	Format  string        `json:"format"`
}

func listEvents(c *cli.Context, out cmdline.Output) error {
	events, err := knownEvents(c)
	if err != nil {
		return err
	}
	if db := c.String("db"); db != "" && len(events) == 0 && out.Format == cmdline.TableFormat {
		_, err := fmt.Fprintln(out.Writer, "no event has been played here yet; play one with: arena event run --db "+cmdline.Quote(db)+" --bot SPEC --bot SPEC")
		return err
	}
	return out.Print(cmdline.Tabular(events, progressTable(events), func(w io.Writer) error { return writeProgress(w, events, out.Width) }))
}

// knownEvents returns the events that the arena has played since it was started, or all events of a database.
func knownEvents(c *cli.Context) ([]eventRow, error) {
	database, err := onDatabase(c)
	if err != nil {
		return nil, err
	}
	rows := []eventRow{}
	if !database {
		events, err := running.Client(c).Events(c.Context)
		for _, e := range events {
			rows = append(rows, eventRow{Progress: e})
		}
		return rows, orDatabase(c, err)
	}
	return recorded(c, func(store *results.Reader) ([]eventRow, error) {
		events, err := store.Events(c.Context)
		for _, e := range events {
			rows = append(rows, recordedRow(&e))
		}
		return rows, err
	})
}

// recordedRow returns the row of an event in a database.
func recordedRow(e *results.EventProgress) eventRow {
	p := server.Progress{Event: e.ID, Name: e.Name, State: server.Unfinished, Done: e.Finished, Total: 2 * e.Total.Matches, Bound: e.Total.Bound}
	if e.Over {
		p.State = server.Finished
	}
	return eventRow{p, &eventFacts{e.Created.Format(time.DateTime), e.Rules, e.Size, e.Seed, format.Name(e.Settings.Plan)}}
}

func progressTable(events []eventRow) terminal.Table {
	t := terminal.Table{Columns: terminal.Columns("event", "state", "done", "total", "bound", "playing", "name", "message", "created", "rules", "size", "seed", "format")}
	for _, e := range events {
		row := []any{e.Event, e.State, e.Done, e.Total, e.Bound, e.Playing, e.Name, e.Message}
		if f := e.eventFacts; f != nil {
			t.Add(append(row, f.Created, f.Rules, f.Size, f.Seed, f.Format)...)
		} else {
			t.Add(append(row, "", "", "", "", "")...)
		}
	}
	return t
}

func writeProgress(w io.Writer, events []eventRow, width int) error {
	table := terminal.Table{Columns: []terminal.Column{
		{Title: "event"}, {Title: "state"}, {Title: "games"}, {Title: "playing", Drop: 1}, {Title: "name", Least: 16}, {Least: 16},
	}}
	if len(events) > 0 && events[0].eventFacts != nil {
		table.Columns = []terminal.Column{
			{Title: "event"}, {Title: "state", Drop: 3}, {Title: "games"}, {Title: "created", Drop: 4}, {Title: "rules", Drop: 2}, {Title: "size", Drop: 1}, {Title: "name", Least: 16},
		}
	}
	for _, e := range events {
		row := []any{e.Event, e.State, e.Bound.Of(e.Done, e.Total)}
		if f := e.eventFacts; f != nil {
			row = append(row, f.Created, f.Rules, f.Size, e.Name)
		} else {
			row = append(row, e.Playing, strconv.Quote(e.Name), e.Message)
		}
		table.Add(row...)
	}
	_, err := fmt.Fprintln(w, table.Text(width)+"\nThe games of one: arena games --event N")
	return err
}

package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
)

// operateFlags are for commands about an event on a running arena.
func operateFlags() []cli.Flag {
	return []cli.Flag{runningServerFlag(), operatorFlag(), &cli.BoolFlag{Name: "json", Usage: "print how the event stands as JSON"}}
}

// lookFlags are for commands that look at a running arena or at a database.
func lookFlags() []cli.Flag {
	return append(operateFlags(), &cli.StringFlag{Name: "db", Usage: "a database instead, also while an arena uses it"})
}

// onDatabase tells whether a command is to look at a database.
func onDatabase(c *cli.Context) (bool, error) {
	if c.IsSet("db") && c.IsSet("server") {
		return false, cmdline.Usagef("--db and --server: look at one of them")
	}
	return c.IsSet("db"), nil
}

func listTournaments(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	events, err := knownEvents(c)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, events)
	}
	return writeEvents(c.App.Writer, events)
}

// knownEvents are those that the arena has played since it was started, or all
// of a database.
func knownEvents(c *cli.Context) (all []arena.Progress, err error) {
	database, err := onDatabase(c)
	if err != nil || !database {
		if err == nil {
			all, err = remoteArena(c).Events(c.Context)
		}
		return all, err
	}
	all = []arena.Progress{}
	return all, reading(c, func(store *results.Store) error {
		events, err := store.Events(c.Context)
		for _, e := range events {
			p := arena.Progress{Event: e.ID, Name: e.Name, State: arena.Unfinished, Done: e.Finished, Total: 2 * e.Total.Matches, Bound: e.Total.Bound}
			if e.Over {
				p.State = arena.Finished
			}
			all = append(all, p)
		}
		return err
	})
}

func writeEvents(w io.Writer, events []arena.Progress) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "event\tstate\tgames\tplaying\tname\t")
	for _, e := range events {
		fmt.Fprintf(table, "%d\t%s\t%s\t%d\t%q\t%s\n", e.Event, e.State, e.Bound.Of(e.Done, e.Total), e.Playing, e.Name, e.Message)
	}
	return table.Flush()
}

func stopTournament(c *cli.Context) error {
	return operate(c, func(client *arena.Client, id int64) (string, error) {
		return "has stopped; its games are kept", client.Stop(c.Context, id)
	})
}

func pauseTournament(c *cli.Context) error {
	return operate(c, func(client *arena.Client, id int64) (string, error) {
		return "is paused: no new games begin, those in progress go on", client.Pause(c.Context, id)
	})
}

// operate does something to the event that the command names, and says how to go
// on with it.
func operate(c *cli.Context, do func(*arena.Client, int64) (string, error)) error {
	id, err := numberArgument(c, "EVENT")
	if err != nil {
		return err
	}
	client := remoteArena(c)
	done, err := do(client, id)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		status, err := client.Status(c.Context, id)
		if err != nil {
			return err
		}
		return writeJSON(c.App.Writer, status)
	}
	_, err = fmt.Fprintf(c.App.Writer, "event %d %s\nresume: %s\n", id, done, resumeCommand(id, "--server", c.String("server")))
	return err
}

// lastEvent is the number of the newest event that is known.
func lastEvent(c *cli.Context) (int64, error) {
	events, err := knownEvents(c)
	if err != nil {
		return 0, err
	}
	if len(events) == 0 {
		return 0, fmt.Errorf("no event has been played here yet: name one")
	}
	return slices.MaxFunc(events, func(a, b arena.Progress) int { return int(a.Event - b.Event) }).Event, nil
}

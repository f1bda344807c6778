package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/results"
	"versus2048/rules/record"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

// statusTournament prints how an event stands, by default the newest.
func statusTournament(c *cli.Context) (err error) {
	var id int64
	if c.Args().Len() == 0 {
		id, err = lastEvent(c)
	} else {
		id, err = numberArgument(c, "EVENT")
	}
	if err != nil {
		return err
	}
	status, err := statusOf(c, id)
	if err != nil {
		return err
	}
	if c.Bool("json") {
		return writeJSON(c.App.Writer, status)
	}
	return writeStatus(c.App.Writer, status)
}

// statusOf is how an event stands on the arena or in the database.
func statusOf(c *cli.Context, id int64) (p arena.Progress, err error) {
	database, err := onDatabase(c)
	if err != nil {
		return p, err
	}
	if !database {
		return remoteArena(c).Status(c.Context, id)
	}
	return p, reading(c, func(store *results.Store) error {
		p, err = recorded(c, store, id)
		return err
	})
}

// recorded is what a database has of an event. Its unfinished games may be being
// played, by an arena of which the database does not know.
func recorded(c *cli.Context, store *results.Store, id int64) (arena.Progress, error) {
	event, err := store.Event(c.Context, id)
	if err != nil {
		return arena.Progress{}, err
	}
	var finished []tournament.Game
	var begun []arena.GameProgress
	err = store.Games(c.Context, results.Filter{Event: id}, func(g results.Stored) error {
		if g.Record.Ending == record.Unfinished {
			begun = append(begun, arena.NewGameProgress(&g.Game))
		} else {
			finished = append(finished, g.Game)
		}
		return nil
	})
	p := arena.RecordedProgress(event, finished)
	p.Games = begun
	return p, err
}

// writeStatus writes the progress, the games in progress and the standings.
func writeStatus(w io.Writer, p arena.Progress) error {
	fmt.Fprintf(w, "%s\n%q\n", progressLine(p), p.Name)
	if p.Message != "" {
		fmt.Fprintln(w, p.Message)
	}
	for _, g := range p.Games {
		fmt.Fprintf(w, "  game %d (match %d): %q attacks %q, %d plies\n", g.Game, g.Match, g.Attacker, g.Defender, g.Plies)
	}
	if p.Standings == nil {
		return nil
	}
	fmt.Fprintf(w, "\n%s:\n", p.Standings.Format)
	return report.WriteStandings(w, *p.Standings)
}

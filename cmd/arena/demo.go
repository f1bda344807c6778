package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "play a short tournament of three bots, each in a process of its own, and show what comes of it",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "db", Value: "demo.db", Usage: "the database that it leaves behind"},
		},
		Action: demo,
	}
}

// demoSetup has bots that are quick and yet of very different strength.
func demoSetup() tournament.Event {
	return tournament.Event{
		Name:        "demo",
		Size:        rules.Full,
		Bots:        []string{"greedy", "evminimax:depth=2", "mcts:playouts=200"},
		Seed:        1,
		Matches:     2,
		Concurrency: 2,
		Clock:       tournament.Clock{PerMove: 5 * time.Second},
	}
}

const demoIntro = `Three bots, each a process of its own, connect to an arena on this machine and
play a round-robin. In a match each attacks once and defends once; the higher
score as defender wins.

`

const demoOutro = `
%[1]s has every game. Try next:

  arena games --db %[1]s --event %[2]d
  arena replay %[3]d --db %[1]s
  arena stats --db %[1]s
  arena verify --db %[1]s
  bot list
  arena serve                      and in a second terminal: bot run evminimax

("arena" stands for: go run ./cmd/arena, and "bot" for: go run ./cmd/bot)
`

func demo(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	fmt.Fprint(c.App.Writer, demoIntro)
	var event int64
	db := c.String("db")
	err := withPrivateArena(c.Context, db, 10*time.Second, func(client *arena.Client) error {
		return follow(c, client, func(client *arena.Client) (id int64, err error) {
			event, err = client.Start(context.WithoutCancel(c.Context), demoSetup())
			return event, err
		}, "--db", db)
	})
	if err != nil {
		return err
	}
	return reading(c, func(store *results.Store) error {
		last, err := lastGame(c, store, event)
		if err != nil {
			return err
		}
		if err := showGame(c.App.Writer, &last.Record); err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.App.Writer, demoOutro, quote(db), event, last.ID)
		return err
	})
}

func lastGame(c *cli.Context, store *results.Store, event int64) (last results.Stored, err error) {
	err = store.Games(c.Context, results.Filter{Event: event, Finished: true}, func(g results.Stored) error {
		last = g
		return nil
	})
	return last, err
}

// showGame replays a game, with the boards of its beginning and its end.
func showGame(w io.Writer, r *record.Record) error {
	v, err := newViewer(r)
	if err != nil {
		return err
	}
	const shown = 4
	fmt.Fprintf(w, "\nThe last game, replayed:\n\n")
	for ply := range v.positions {
		switch left := len(v.positions) - ply; {
		case ply < shown || left <= shown:
			v.at = ply
			if err := v.show(w); err != nil {
				return err
			}
		case ply == shown:
			fmt.Fprintf(w, "... %d plies ...\n\n", len(v.positions)-2*shown)
		}
	}
	return nil
}

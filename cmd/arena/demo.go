package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/cmd/internal/viewer"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

func demoCommand() *cli.Command {
	return &cli.Command{
		Name:  "demo",
		Usage: "play a short tournament of three bots, each in a process of its own, and show the results",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "db", Value: "demo.db", Usage: "the database in which it records the games"},
		},
		Action: demo,
	}
}

// demoEvent returns an event of bots that are quick but of very different strength.
func demoEvent() tournament.Event {
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
	event, err := playDemo(c)
	if err != nil {
		return err
	}
	last, err := lastGame(c.Context, c.String("db"), event)
	if err != nil {
		return err
	}
	if err := showEnds(c.App.Writer, &last.Record); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, demoOutro, quote(c.String("db")), event, last.ID)
	return err
}

// playDemo plays the event of the demo and returns its number.
func playDemo(c *cli.Context) (event int64, err error) {
	a, err := openLocal(c.Context, c.String("db"), 10*time.Second, machineMemory())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	f, err := newFollower(c, a)
	if err != nil {
		return 0, err
	}
	event, err = a.client.Start(context.WithoutCancel(c.Context), demoEvent())
	if err != nil {
		return 0, err
	}
	return event, f.run(c.Context, event)
}

// lastGame returns the last finished game of an event.
func lastGame(ctx context.Context, db string, event int64) (last results.Stored, err error) {
	store, err := results.OpenReader(ctx, db)
	if err != nil {
		return last, err
	}
	defer store.Close()
	err = store.Games(ctx, results.Filter{Event: event, Finished: true, Last: 1}, func(g results.Stored) error {
		last = g
		return nil
	})
	return last, err
}

// showEnds replays a game with the boards of its first and last plies.
func showEnds(w io.Writer, r *record.Record) error {
	game, err := viewer.New(r)
	if err != nil {
		return err
	}
	const shown = 4
	fmt.Fprintf(w, "\nThe last game, replayed:\n\n")
	for ply := range game.Positions {
		switch left := len(game.Positions) - ply; {
		case ply < shown || left <= shown:
			if _, err := fmt.Fprintln(w, game.Text(ply, false)); err != nil {
				return err
			}
		case ply == shown:
			fmt.Fprintf(w, "... %d plies ...\n\n", len(game.Positions)-2*shown)
		}
	}
	return nil
}

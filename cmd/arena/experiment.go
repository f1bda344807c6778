package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

func experimentCommand() *cli.Command {
	return &cli.Command{
		Name:  "experiment",
		Usage: "play a published experiment again and compare",
		Subcommands: []*cli.Command{
			{
				Name:        "table1",
				Usage:       "Table 1 of Oka, Matsuzaki and Haraguchi 2015: MCTS, MCTS2 and evMiniMax against each other",
				Description: "Plays three ordinary events without time limits, inside this process. " + goesOn,
				Flags:       append(experimentFlags(experiment.PaperMatches), playoutsFlag()),
				Action:      table1,
			},
			treeCommand(),
			improvementsCommand(),
		},
	}
}

const goesOn = "After any stop\n" +
	"the same command goes on; what is finished is only reported. The time left is the time\n" +
	"for each game that has ended since the start, times the games left."

// experimentFlags say what is played of an experiment, and what is made of it.
func experimentFlags(matches int) []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "db", Value: "experiment.db", Usage: "the database"},
		&cli.IntFlag{Name: "matches", Value: matches, Usage: "matches of each pairing, two games each; an event on record gets more, never fewer"},
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, if other than the paper's"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "where all random choices of each event come from, below 2^53"},
		concurrencyFlag(),
		&cli.BoolFlag{Name: "report-only", Usage: "play nothing; report what is there, also while it is being played"},
		&cli.StringFlag{Name: "out", Usage: "also write the report into this folder, as Markdown, JSON, SVG, PNG and perhaps CSV"},
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
	events, err := planned(c, experiment.Table1Events)
	if err != nil {
		return err
	}
	return playAndReport(c, events, conduct, func(store *results.Store) error {
		played, err := experiment.Read(c.Context, store, events)
		if err != nil {
			return advised(err)
		}
		return showReport(c, "table1", experiment.NewTable1(played))
	})
}

// planned are an experiment's events with the settings that the flags give.
func planned(c *cli.Context, eventsOf func(experiment.Settings) ([]tournament.Event, error)) ([]tournament.Event, error) {
	settings, err := readSettings(c)
	if err != nil {
		return nil, cmdline.WrongUsage(err)
	}
	events, err := eventsOf(settings)
	return events, cmdline.WrongUsage(err)
}

// playAndReport plays events, unless only the report is wanted, and then reports
// what is on record.
func playAndReport(c *cli.Context, events []tournament.Event, play func(*cli.Context, []tournament.Event) error, tell func(*results.Store) error) error {
	var err error
	if !c.Bool("report-only") {
		err = play(c, events)
	}
	if err == nil {
		err = reading(c, tell)
	}
	if errors.Is(err, context.Canceled) {
		// The interrupt came between two events, which a running one would have told.
		fmt.Fprintf(c.App.ErrWriter, "interrupted with no game in progress; what is finished is kept\nresume: %s\n", sameCommand())
		return cmdline.ErrSilent
	}
	return err
}

// advised adds to a mismatch what to do about it.
func advised(err error) error {
	if mismatch := new(experiment.MismatchError); errors.As(err, &mismatch) {
		return fmt.Errorf("%w (give the flags that it was played with, or take another --db)", err)
	}
	return err
}

// sameCommand is the command that was given, for a shell.
func sameCommand() string {
	words := []string{program()}
	for _, argument := range os.Args[1:] {
		words = append(words, quote(argument))
	}
	return strings.Join(words, " ")
}

package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// eventFlags say what is to be played. Each has its key in config.
func eventFlags() []cli.Flag {
	return slices.Concat(setupFlags(), planFlags(), conditionFlags())
}

// setupFlags are those about bots, games and times.
func setupFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "bot", Usage: "a participant: SPEC, NAME=SPEC, or with --server a connected bot's name; repeat it"},
		&cli.StringFlag{Name: "name", Usage: "the event's name (default: its bots)"},
		&cli.IntFlag{Name: "matches", DefaultText: "10; swiss 2, knockout and double-elimination 3, ladder and sprt 0, no limit", Usage: "matches of each pairing, two games each; in a knockout the best of so many, in a ladder those of each bot"},
		concurrencyFlag(),
		&cli.DurationFlag{Name: "time-per-move", Value: 5 * time.Second, Usage: "the longest a move may take; 0 for no limit"},
		&cli.DurationFlag{Name: "time", Usage: "each side's total time for a game; 0 for no limit"},
		&cli.DurationFlag{Name: "increment", Usage: "added to the total time after each move"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "where all the event's random choices come from, below 2^53"},
		rulesFlag(),
		sizeFlag(),
		&cli.BoolFlag{Name: "in-process", Usage: "play the bots inside this process, without sockets"},
		&cli.BoolFlag{Name: "search", Usage: "record what the bots report of their searches, for: arena replay --search (some 50 kB for each 1000 plies)"},
	}
}

func rulesFlag() cli.Flag {
	return &cli.StringFlag{Name: "rules", Value: rules.GPCC2015.String(), Usage: "gpcc2015, gpcc2016 or solo"}
}

func sizeFlag() cli.Flag {
	return &cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, 2x2 to 4x4"}
}

func concurrencyFlag() cli.Flag {
	return &cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "games played at once"}
}

// readSetup is the event that the flags ask for, and the file of --config.
func readSetup(c *cli.Context) (arena.Setup, error) {
	if err := loadConfig(c); err != nil {
		return arena.Setup{}, err
	}
	plan, err := readPlan(c)
	if err != nil {
		return arena.Setup{}, err
	}
	s := arena.Setup{
		Name:        c.String("name"),
		Seed:        c.Uint64("seed"),
		Bots:        c.StringSlice("bot"),
		Matches:     c.Int("matches"),
		Concurrency: c.Int("concurrency"),
		PerMove:     arena.Millis(c.Duration("time-per-move")),
		Base:        arena.Millis(c.Duration("time")),
		Increment:   arena.Millis(c.Duration("increment")),
		InProcess:   c.Bool("in-process"),
		Search:      c.Bool("search"),
		Settings:    tournament.Settings{Plan: plan},
	}
	if !c.IsSet("matches") {
		s.Matches = format.DefaultMatches(plan)
	}
	for _, name := range []string{"time-per-move", "time", "increment"} {
		if c.Duration(name)%time.Millisecond != 0 {
			return s, fmt.Errorf("--%s %v: want whole milliseconds", name, c.Duration(name))
		}
	}
	if s.Rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return s, err
	}
	if s.Size, err = rules.ParseSize(c.String("size")); err != nil {
		return s, err
	}
	if len(s.Bots) < 2 {
		return s, fmt.Errorf("%d bots: give at least two with --bot, or in the file of --config", len(s.Bots))
	}
	err = readConditions(c, &s)
	return s, err
}

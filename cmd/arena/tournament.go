package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
	"versus2048/rules"
)

func tournamentCommand() *cli.Command {
	return &cli.Command{
		Name:  "tournament",
		Usage: "play a tournament",
		Subcommands: []*cli.Command{
			{
				Name:  "run",
				Usage: "play a round-robin to its end",
				Description: "A bot is a spec (see: bot list), which the arena starts as a process of its own,\n" +
					"or with --server the name of a bot that is connected there. NAME=SPEC names a\n" +
					"bot that is to be started.",
				Flags:  append(setupFlags(), whereFlags()...),
				Action: runTournament,
			},
			{
				Name:      "resume",
				Usage:     "go on with a tournament that was interrupted",
				ArgsUsage: "EVENT",
				Flags:     whereFlags(),
				Action:    resumeTournament,
			},
			{
				Name:      "stop",
				Usage:     "interrupt a tournament on a running arena; its games are kept",
				ArgsUsage: "EVENT",
				Flags:     []cli.Flag{serverFlag(), operatorFlag()},
				Action:    stopTournament,
			},
		},
	}
}

func setupFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "bot", Usage: "a participant: SPEC, NAME=SPEC, or with --server a connected bot's name; repeat it"},
		&cli.StringFlag{Name: "name", Usage: "the event's name (default: its bots)"},
		&cli.IntFlag{Name: "matches", Value: 10, Usage: "matches that each pair plays, two games each"},
		&cli.IntFlag{Name: "concurrency", Value: runtime.NumCPU(), DefaultText: "the number of cores", Usage: "games played at once"},
		&cli.DurationFlag{Name: "time-per-move", Value: 5 * time.Second, Usage: "the longest a move may take; 0 for no limit"},
		&cli.DurationFlag{Name: "time", Usage: "each side's total time for a game; 0 for no limit"},
		&cli.DurationFlag{Name: "increment", Usage: "added to the total time after each move"},
		&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "where all the event's random choices come from, below 2^53"},
		&cli.StringFlag{Name: "rules", Value: rules.GPCC2015.String(), Usage: "gpcc2015, gpcc2016 or solo"},
		&cli.StringFlag{Name: "size", Value: rules.Full.String(), Usage: "the board, 2x2 to 4x4"},
		&cli.BoolFlag{Name: "in-process", Usage: "play the bots inside this process, without sockets"},
	}
}

// whereFlags say on which arena an event is played, and how it is shown.
func whereFlags() []cli.Flag {
	return []cli.Flag{
		dbFlag(),
		serverFlag(),
		operatorFlag(),
		graceFlag(),
		&cli.BoolFlag{Name: "json", Usage: "print the result as JSON"},
		&cli.BoolFlag{Name: "quiet", Usage: "show no progress"},
	}
}

func serverFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Usage: "a running arena, such as http://" + defaultServer + " (without it one is opened on --db for as long as it takes)"}
}

func operatorFlag() cli.Flag {
	return &cli.StringFlag{Name: "token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "the operator's token, for an arena on another machine"}
}

func runTournament(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	setup, err := readSetup(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if c.String("server") == "" {
		nobody := func(string) bool { return false }
		if _, err := setup.Resolve(nobody, 0); err != nil {
			return cmdline.WrongUsage(err)
		}
	}
	return onArena(c, func(client *arena.Client) (int64, error) {
		return client.Start(context.WithoutCancel(c.Context), setup)
	})
}

func readSetup(c *cli.Context) (arena.Setup, error) {
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
	}
	for _, name := range []string{"time-per-move", "time", "increment"} {
		if c.Duration(name)%time.Millisecond != 0 {
			return s, fmt.Errorf("--%s %v: want whole milliseconds", name, c.Duration(name))
		}
	}
	var err error
	if s.Rules, err = rules.ParseRuleset(c.String("rules")); err != nil {
		return s, err
	}
	if s.Size, err = rules.ParseSize(c.String("size")); err != nil {
		return s, err
	}
	if len(s.Bots) < 2 {
		return s, fmt.Errorf("%d bots: give at least two with --bot", len(s.Bots))
	}
	return s, nil
}

func resumeTournament(c *cli.Context) error {
	id, err := numberArgument(c, "EVENT")
	if err != nil {
		return err
	}
	if c.String("server") == "" {
		// To look before a database is made where there is none.
		if err := reading(c, func(store *results.Store) error {
			_, err := store.Event(c.Context, id)
			return err
		}); err != nil {
			return err
		}
	}
	return onArena(c, func(client *arena.Client) (int64, error) {
		return id, client.Resume(context.WithoutCancel(c.Context), id)
	})
}

func stopTournament(c *cli.Context) error {
	id, err := numberArgument(c, "EVENT")
	if err != nil {
		return err
	}
	if c.String("server") == "" {
		return cmdline.Usagef("name the arena with --server; a tournament without one is stopped by Ctrl-C")
	}
	if err := remoteArena(c).Stop(c.Context, id); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "event %d has stopped; its games are kept\nresume: %s\n", id, resumeCommand(id, "--server", c.String("server")))
	return nil
}

// numberArgument is the command's only argument, an event's or game's number.
func numberArgument(c *cli.Context, name string) (int64, error) {
	if err := cmdline.Arguments(c, name); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(c.Args().First(), 10, 64)
	if err != nil || id < 1 {
		return 0, cmdline.Usagef("%s %q: want its number", name, c.Args().First())
	}
	return id, nil
}

func remoteArena(c *cli.Context) *arena.Client {
	return &arena.Client{URL: c.String("server"), Token: c.String("token")}
}

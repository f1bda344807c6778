package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
)

func tournamentCommand() *cli.Command {
	return &cli.Command{
		Name:  "tournament",
		Usage: "play a tournament",
		Subcommands: []*cli.Command{
			{
				Name:  "run",
				Usage: "play a tournament to its end",
				Description: "A bot is a spec (see: bot list), which the arena starts as a process of its own,\n" +
					"or with --server the name of a bot that is connected there. NAME=SPEC names a\n" +
					"bot that is to be started.",
				Flags:  slices.Concat([]cli.Flag{configFlag()}, eventFlags(), whereFlags()),
				Action: runTournament,
			},
			{
				Name:      "init",
				Usage:     "write an event's file with every key and its default, for: tournament run --config",
				ArgsUsage: "[FILE]",
				Action:    initTournament,
			},
			{
				Name:      "resume",
				Usage:     "go on with a tournament that was interrupted, or paused",
				ArgsUsage: "EVENT",
				Flags:     whereFlags(),
				Action:    resumeTournament,
			},
			{
				Name:      "status",
				Usage:     "say how a tournament stands, by default the newest: on a running arena, or in a database",
				ArgsUsage: "[EVENT]",
				Flags:     lookFlags(),
				Action:    statusTournament,
			},
			{
				Name:      "pause",
				Usage:     "let no new games of a tournament begin on a running arena, until it is resumed; those in progress go on",
				ArgsUsage: "EVENT",
				Flags:     operateFlags(),
				Action:    pauseTournament,
			},
			{
				Name:   "list",
				Usage:  "list the tournaments played on a running arena since it was started, or those of a database",
				Flags:  lookFlags(),
				Action: listTournaments,
			},
			{
				Name:      "stop",
				Usage:     "interrupt a tournament on a running arena; its games are kept",
				ArgsUsage: "EVENT",
				Flags:     operateFlags(),
				Action:    stopTournament,
			},
			ladderCommand("join", "let a bot join a ladder on a running arena: its name if it is connected, or SPEC, or NAME=SPEC", "BOT", joinLadder),
			ladderCommand("leave", "let a bot leave a ladder on a running arena, after the matches that it was given already", "NAME", leaveLadder),
		},
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
		eventsFlag(),
	}
}

func serverFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Usage: "a running arena, such as http://" + defaultServer + " (without it one is opened on --db for as long as it takes)"}
}

// runningServerFlag is for commands that need a running arena.
func runningServerFlag() cli.Flag {
	return &cli.StringFlag{Name: "server", Value: "http://" + defaultServer, Usage: "the running arena"}
}

func operatorFlag() cli.Flag {
	return &cli.StringFlag{Name: "token", EnvVars: []string{"VERSUS2048_OPERATOR_TOKEN"}, Usage: "the operator's token, for an arena on another machine"}
}

func runTournament(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	event, err := readEvent(c)
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	if c.String("server") == "" {
		nobody := func(string) bool { return false }
		if _, err := arena.Resolve(event, nobody, 0); err != nil {
			return cmdline.WrongUsage(err)
		}
	}
	return onArena(c, func(client *arena.Client) (int64, error) {
		return client.Start(context.WithoutCancel(c.Context), event)
	})
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

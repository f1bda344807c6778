package main

import (
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
)

// ladderCommand is a command about one bot of an event on a running arena.
func ladderCommand(name, usage, bot string, action cli.ActionFunc) *cli.Command {
	return &cli.Command{
		Name:      name,
		Usage:     usage,
		ArgsUsage: "EVENT " + bot,
		Flags:     []cli.Flag{runningServerFlag(), operatorFlag()},
		Action:    action,
	}
}

func joinLadder(c *cli.Context) error {
	id, bot, err := ladderArguments(c)
	if err != nil {
		return err
	}
	if err := remoteArena(c).Join(c.Context, id, bot); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s takes part in event %d\n", bot, id)
	return err
}

func leaveLadder(c *cli.Context) error {
	id, bot, err := ladderArguments(c)
	if err != nil {
		return err
	}
	if err := remoteArena(c).Leave(c.Context, id, bot); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.App.Writer, "%s leaves event %d after the matches that it was given\n", bot, id)
	return err
}

func ladderArguments(c *cli.Context) (id int64, bot string, err error) {
	if err := cmdline.Arguments(c, "EVENT", "BOT"); err != nil {
		return 0, "", err
	}
	id, err = strconv.ParseInt(c.Args().First(), 10, 64)
	if err != nil || id < 1 {
		return 0, "", cmdline.Usagef("EVENT %q: want its number", c.Args().First())
	}
	return id, c.Args().Get(1), nil
}

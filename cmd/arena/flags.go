package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/text/plain"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/recipe"
)

// eventNumberFlag returns the flag --event, the number of an event.
func eventNumberFlag(usage, standard string) cli.Flag {
	return &cli.Int64Flag{Name: "event", Usage: usage, DefaultText: standard, Action: cmdline.AtLeast[int64]("event", 1)}
}

// onRecord returns the action with a better error for a missing event or game if --db is given: the error names this
// database, and the command that lists its events. The command in the error's own text is for the default database.
func onRecord(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		err := action(c)
		missing := (*results.NotFoundError)(nil)
		if !errors.As(err, &missing) || !c.IsSet("db") {
			return err
		}
		db := c.String("db")
		return fmt.Errorf("there is no %s %d in %s; list the %ss with: %s --db %s", missing.What, missing.ID, plain.Line(db), missing.What, missing.List(), cmdline.Quote(db))
	}
}

// onEvent returns the action of a command. The first argument of the command is the number of an event.
func onEvent(action func(c *cli.Context, event int64) error) cli.ActionFunc {
	return cmdline.WithArguments(func(c *cli.Context) error {
		id, err := parseNumber("EVENT", c.Args().First())
		if err != nil {
			return err
		}
		return action(c, id)
	})
}

// parseNumber parses the number of an event, a match or a game.
func parseNumber(name, text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, cmdline.Usagef("%s %q: want its number", name, text)
	}
	return id, nil
}

// eventFlags returns the flags of the settings of an event.
func eventFlags() []cli.Flag {
	return cmdline.SettingFlags("a participant: SPEC, NAME=SPEC, NAME=exec:COMMAND, or with --server a connected bot's name; repeat it for each bot")
}

// readEvent returns the event that the flags and the file of --config describe: first the defaults of the flags, then
// the values of the file, then the flags on the command line.
func readEvent(c *cli.Context) (e tournament.Event, err error) {
	if err := setFields(c, &e, false); err != nil {
		return e, err
	}
	recipe.Prepare(&e)
	if err := readConfig(c, &e); err != nil {
		return e, err
	}
	if c.IsSet("bot") {
		e.Entries = nil // the bots on the command line replace all bots of the file
	}
	if err := setFields(c, &e, true); err != nil {
		return e, err
	}
	if n := len(e.Bots) + len(e.Entries); n < 2 && e.Settings.Plan.Open == tournament.Closed {
		return e, fmt.Errorf("too few bots (%d): give at least two with --bot, or in the file of --config", n)
	}
	err = recipe.Complete(&e, recipe.LoadOpenings)
	return e, err
}

// setFields sets fields of the event. If given is true, it sets the fields of the flags on the command line. Otherwise
// it sets the fields of all other flags, to the flags' defaults.
func setFields(c *cli.Context, e *tournament.Event, given bool) error {
	for _, s := range tournament.AllSettings() {
		if !s.RequestOnly && c.IsSet(s.Name) == given {
			if err := cmdline.ReadSetting(c, s.Name, e); err != nil {
				return err
			}
		}
	}
	return nil
}

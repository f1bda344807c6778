package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/tournament"
	"versus2048/tournament/opening"
	"versus2048/tournament/recipe"
)

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
	return e, recipe.Complete(&e, opening.Load)
}

// setFields sets fields of the event from their flags: with given the fields of the flags on the command line,
// otherwise the fields of the other flags, to their defaults.
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

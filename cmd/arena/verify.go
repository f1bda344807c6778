package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
)

func verifyCommand() *cli.Command {
	return &cli.Command{
		Name:  "verify",
		Usage: "play every stored game again and compare it with what is on record",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.Int64Flag{Name: "event", Usage: "only the games of this event"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: verify,
	}
}

func verify(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	return reading(c, func(store *results.Store) error {
		if id := c.Int64("event"); id != 0 {
			if _, err := store.Event(c.Context, id); err != nil {
				return err
			}
		}
		v, err := store.Verify(c.Context, results.Filter{Event: c.Int64("event")}, func(g results.Stored, why error) {
			fmt.Fprintf(c.App.ErrWriter, "game %d differs from its record: %v\n", g.ID, why)
		})
		switch {
		case err != nil:
			return err
		case c.Bool("json"):
			err = writeJSON(c.App.Writer, v)
		default:
			_, err = fmt.Fprintf(c.App.Writer, "%d games, %d plies played again: %d differ\n", v.Games, v.Plies, v.Bad)
		}
		if err == nil && v.Bad > 0 {
			err = cmdline.ErrSilent
		}
		return err
	})
}

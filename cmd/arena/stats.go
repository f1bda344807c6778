package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/results"
	"versus2048/tournament"
)

func statsCommand() *cli.Command {
	return &cli.Command{
		Name:  "stats",
		Usage: "compute an event's standings, crosstable, ratings and head-to-head statistics",
		Flags: []cli.Flag{
			dbFlag(),
			&cli.Int64Flag{Name: "event", Usage: "the event (default: the last one)"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: stats,
	}
}

func stats(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	return reading(c, func(store *results.Store) error {
		event, err := chosenEvent(c, store)
		if err != nil {
			return err
		}
		s, matches, err := statistics(c, store, event)
		if err != nil {
			return err
		}
		if c.Bool("json") {
			return writeJSON(c.App.Writer, s)
		}
		fmt.Fprintf(c.App.Writer, "event %d: %s, %v %v, %d matches\n\n", event.ID, event.Name, event.Rules, event.Size, len(matches))
		if err := writeTables(c.App.Writer, s.Standings, s.Crosstable); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer)
		if err := s.Ratings.WriteText(c.App.Writer); err != nil {
			return err
		}
		fmt.Fprintln(c.App.Writer)
		return tournament.WriteHeadToHeads(c.App.Writer, s.HeadToHeads)
	})
}

// chosenEvent is the event that --event names, or the last one.
func chosenEvent(c *cli.Context, store *results.Store) (tournament.Event, error) {
	if id := c.Int64("event"); id != 0 {
		return store.Event(c.Context, id)
	}
	event, err := store.LastEvent(c.Context)
	if missing := (*results.NotFoundError)(nil); errors.As(err, &missing) {
		err = fmt.Errorf("no event has been played in %s yet", c.String("db"))
	}
	return event, err
}

// statistics are those of an event, and the matches that they are of.
func statistics(c *cli.Context, store *results.Store, e tournament.Event) (s tournament.Statistics, matches []tournament.MatchResult, err error) {
	if matches, err = store.Matches(c.Context, e); err != nil {
		return s, nil, err
	}
	times, err := store.Timesheet(c.Context, e, e.Counting(matches))
	if err != nil {
		return s, nil, err
	}
	s, err = tournament.NewStatistics(e, matches, times, nil)
	return s, matches, err
}

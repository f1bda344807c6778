package main

import (
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

// eventStats are the statistics of one event.
type eventStats struct {
	Event       int64                   `json:"event"`
	Name        string                  `json:"name"`
	Standings   tournament.Standings    `json:"standings"`
	Crosstable  tournament.Crosstable   `json:"crosstable"`
	Ratings     tournament.Ratings      `json:"ratings"`
	HeadToHeads []tournament.HeadToHead `json:"head_to_heads"`
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
		games, err := store.FinishedGames(c.Context, event.ID)
		if err != nil {
			return err
		}
		ratings, err := tournament.NewRatings(event.Entries, tournament.Matches(event.Counting(games)), nil)
		if err != nil {
			return err
		}
		s := eventStats{
			Event:       event.ID,
			Name:        event.Name,
			Standings:   event.Format().Standings(tournament.Matches(games)),
			Crosstable:  tournament.NewCrosstable(event, games),
			Ratings:     ratings,
			HeadToHeads: append([]tournament.HeadToHead{}, tournament.HeadToHeads(event, games)...),
		}
		if c.Bool("json") {
			return writeJSON(c.App.Writer, s)
		}
		fmt.Fprintf(c.App.Writer, "event %d: %s, %v %v, %d games\n\n", event.ID, event.Name, event.Rules, event.Size, len(games))
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
	events, err := store.Events(c.Context)
	if err != nil {
		return tournament.Event{}, err
	}
	if len(events) == 0 {
		return tournament.Event{}, fmt.Errorf("no event has been played in %s yet", c.String("db"))
	}
	return events[len(events)-1].Event, nil
}

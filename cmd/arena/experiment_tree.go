package main

import (
	"github.com/urfave/cli/v2"

	"versus2048/cmd/internal/cmdline"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/tournament"
)

func treeCommand() *cli.Command {
	return &cli.Command{
		Name:  "tree",
		Usage: "Figures 6 to 9 there: the nodes that MCTS and MCTS2 expand, by ply of the game and depth in the tree",
		Description: "Plays MCTS2 against MCTS as an ordinary event without time limits, inside this\n" +
			"process, with reports on all searches. " + goesOn,
		Flags: append(experimentFlags(experiment.TreeMatches), playoutsFlag(),
			&cli.BoolFlag{Name: "canonical", Usage: "instead MCTS2 on canonical positions against MCTS2"}),
		Action: tree,
	}
}

func tree(c *cli.Context) error {
	if err := cmdline.Arguments(c); err != nil {
		return err
	}
	name, eventOf := "tree", experiment.TreeEvent
	if c.Bool("canonical") {
		name, eventOf = "tree-canonical", experiment.CanonicalTreeEvent
	}
	events, err := planned(c, func(s experiment.Settings) ([]tournament.Event, error) {
		e, err := eventOf(s)
		return []tournament.Event{e}, err
	})
	if err != nil {
		return err
	}
	return playAndReport(c, events, conduct, func(store *results.Store) error {
		event, err := experiment.Find(c.Context, store, events[0])
		if err != nil {
			return advised(err)
		}
		growth, err := readGrowth(c, store, event)
		if err != nil {
			return err
		}
		return showReport(c, name, growth.Tree(event))
	})
}

// readGrowth reads an event's games one by one: the reports of all of them
// together are large.
func readGrowth(c *cli.Context, store *results.Store, event tournament.Event) (growth experiment.Growth, err error) {
	if event.ID == 0 {
		return growth, nil // not on record, so nothing is played of it
	}
	filter := results.Filter{Event: event.ID, Finished: true, Searches: true}
	err = store.Games(c.Context, filter, func(g results.Stored) error {
		growth.Add(g.Game)
		return nil
	})
	return growth, err
}

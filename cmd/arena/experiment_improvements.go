package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/cmd/internal/cmdline"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/tournament"
)

func improvementsCommand() *cli.Command {
	return &cli.Command{
		Name:      "improvements",
		Usage:     "what the paper left for later: variants of MCTS2 against MCTS2 at equal time per move",
		ArgsUsage: "[VARIANT...]",
		Description: "Plays an ordinary event for each variant, inside this process, in batches until a\n" +
			"sequential test tells that it is better, worse or not greatly different, or until\n" +
			"--matches are played. After any stop the same command goes on.\n\n" +
			"The variants, all of them if none is named:\n" + variantsText(),
		Flags: append(experimentFlags(40),
			&cli.IntFlag{Name: "time", Value: 2, Usage: "milliseconds a move, of both bots"},
			&cli.BoolFlag{Name: "no-stop", Usage: "play all matches, in events of other names"}),
		Action: improvements,
	}
}

func variantsText() (text string) {
	for _, v := range experiment.Variants() {
		text += fmt.Sprintf("  %-10s %s\n", v.Name, v.Change)
	}
	return text
}

func improvements(c *cli.Context) error {
	variants, err := experiment.VariantsNamed(c.Args().Slice())
	if err != nil {
		return cmdline.WrongUsage(err)
	}
	events, err := planned(c, func(s experiment.Settings) ([]tournament.Event, error) {
		return experiment.ImprovementEvents(variants, s)
	})
	if err != nil {
		return err
	}
	name, play := "improvements", conductTrials
	if c.Bool("no-stop") {
		name, play = "improvements-no-stop", conduct
		for i := range events {
			events[i].Name += " (no stop)"
		}
	}
	return playAndReport(c, events, play, func(store *results.Store) error {
		played, err := experiment.Read(c.Context, store, events)
		if err != nil {
			return advised(err)
		}
		return showReport(c, name, experiment.NewImprovements(variants, played))
	})
}

// conductTrials plays what is left of events that end when the sequential test
// does, one after the other.
func conductTrials(c *cli.Context, events []tournament.Event) error {
	return conducting(c, events, func(run *experimentRun, played []experiment.Played) error {
		for i, e := range events {
			if err := run.playTrial(e, played[i], played[i+1:]); err != nil {
				return err
			}
		}
		return nil
	})
}

// leastBatch is how many matches are played at least before the test is asked
// again: fewer would often leave cores without a game.
const leastBatch = 4

// playTrial plays an event batch by batch until its test ends. Others wait.
func (r *experimentRun) playTrial(e tournament.Event, played experiment.Played, waiting []experiment.Played) error {
	most, batch := e.Matches, max(leastBatch, e.Concurrency)
	later := 0
	for _, p := range waiting {
		later += p.GamesLeft(most)
	}
	for {
		if e.Matches = played.Next(most, batch); e.Matches == 0 {
			return nil
		}
		after := later + 2*max(0, most-e.Matches)
		err := r.playStage(stage{wanted: e, recorded: played.Event}, func(p arena.Progress) string { return mostLeft(p, after) })
		if err != nil {
			return err
		}
		now, err := experiment.Read(context.WithoutCancel(r.Context.Context), r.store, []tournament.Event{e})
		if err != nil {
			return err
		}
		played = now[0]
		if !r.Bool("quiet") {
			fmt.Fprintln(r.App.ErrWriter, played.Summary())
		}
	}
}

// mostLeft says how long it will take if every test goes on to the last match.
func mostLeft(p arena.Progress, later int) string {
	if text := allLeft(p, later); text != "" {
		return text + " at most"
	}
	return ""
}

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"versus2048/arena"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// conduct plays what is left of an experiment's events, one after the other.
func conduct(c *cli.Context, events []tournament.Event) error {
	return conducting(c, events, func(run *experimentRun, played []experiment.Played) error {
		for i, wanted := range events {
			run.stages = append(run.stages, newStage(wanted, played[i]))
		}
		return run.play()
	})
}

// conducting calls play with an arena of its own for an experiment's events, and
// with what is played of them.
func conducting(c *cli.Context, events []tournament.Event, play func(*experimentRun, []experiment.Played) error) (err error) {
	store, err := results.Open(c.Context, c.String("db"))
	if errors.Is(err, results.ErrInUse) {
		return fmt.Errorf("%w; --report-only reports what is there so far", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	// All events are looked at before the first one is played.
	played, err := experiment.Read(c.Context, store, events)
	if err != nil {
		return advised(err)
	}
	return withArenaOn(c.Context, store, 0, func(client *arena.Client) error {
		return play(&experimentRun{Context: c, store: store, client: client}, played)
	})
}

// stage is an event of an experiment that is to be played to its end.
type stage struct {
	wanted   tournament.Event
	recorded tournament.Event // its ID is 0 if it is not on record
	left     int              // games
}

func newStage(wanted tournament.Event, played experiment.Played) stage {
	wanted.Matches = max(wanted.Matches, played.Event.Matches)
	return stage{wanted, played.Event, 2*format.New(wanted).Total(nil).Matches - len(played.Games)}
}

// experimentRun is an experiment being played.
type experimentRun struct {
	*cli.Context
	store  *results.Store
	client *arena.Client
	stages []stage
}

func (r *experimentRun) play() error {
	for i, s := range r.stages {
		if s.left == 0 {
			continue
		}
		later := 0
		for _, after := range r.stages[i+1:] {
			later += after.left
		}
		if err := r.playStage(s, func(p arena.Progress) string { return allLeft(p, later) }); err != nil {
			return err
		}
	}
	return nil
}

// playStage plays one event to its end. Its progress ends with what left says.
func (r *experimentRun) playStage(s stage, left func(arena.Progress) string) error {
	if err := r.Context.Context.Err(); err != nil {
		return err // interrupted between two events
	}
	ctx := context.WithoutCancel(r.Context.Context)
	id, err := r.begin(ctx, s)
	if err != nil {
		return err
	}
	show := newDisplay(r.App.ErrWriter, r.Bool("quiet"))
	if !r.Bool("quiet") {
		fmt.Fprintf(r.App.ErrWriter, "%s:\n", s.wanted.Name)
	}
	last, err := r.client.Follow(ctx, id, func(p arena.Progress) { show.show(p, progressLine(p)+left(p)) })
	show.end()
	return unfinished(r.App.ErrWriter, id, last, err, sameCommand())
}

// begin starts or resumes the stage's event and returns its number.
func (r *experimentRun) begin(ctx context.Context, s stage) (int64, error) {
	id := s.recorded.ID
	if id == 0 {
		return r.client.Start(ctx, s.wanted)
	}
	if err := r.store.Extend(ctx, id, s.wanted.Matches); err != nil {
		return 0, err
	}
	return id, r.client.Resume(ctx, id)
}

// allLeft says how long this event and later ones will take, if the later games
// take as long as those of this one.
func allLeft(p arena.Progress, later int) string {
	games := p.Total - p.Done
	if later == 0 || p.Left == 0 || games == 0 {
		return ""
	}
	left := time.Duration(p.Left)
	return ", " + clock(left+left/time.Duration(games)*time.Duration(later)) + " in all"
}

package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"versus2048/arena"
	"versus2048/experiment"
	"versus2048/results"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// trialPlayer plays the events of an experiment on a local arena.
type trialPlayer struct {
	trial  trial
	store  *results.Store
	local  *localArena
	played []experiment.Played // what was recorded of each event at the start
}

// newTrialPlayer opens the database, reads what is recorded of all events before
// the first one is played, and serves an arena.
func newTrialPlayer(ctx context.Context, t trial, events []tournament.Event) (p *trialPlayer, err error) {
	store, err := results.Open(ctx, t.db)
	if errors.Is(err, results.ErrInUse) {
		return nil, fmt.Errorf("%w; --report-only reports what is recorded so far", err)
	}
	if err != nil {
		return nil, err
	}
	p = &trialPlayer{trial: t, store: store}
	if p.played, err = experiment.Read(ctx, store, events); err != nil {
		return nil, errors.Join(advised(err), store.Close())
	}
	if p.local, err = serveLocal(ctx, store, 0, machineMemory()); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	return p, nil
}

// close stops the arena and closes the database.
func (p *trialPlayer) close() error { return errors.Join(p.local.close(), p.store.Close()) }

// play plays what is left of the events, one after the other. With --report-only it
// does nothing.
func (t trial) play(ctx context.Context, events []tournament.Event) (err error) {
	if t.reportOnly {
		return nil
	}
	p, err := newTrialPlayer(ctx, t, events)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	var stages []stage
	later := 0 // games left of all events
	for i, wanted := range events {
		s := newStage(wanted, p.played[i])
		stages = append(stages, s)
		later += s.left
	}
	for _, s := range stages {
		later -= s.left
		if s.left == 0 {
			continue
		}
		if err := p.playStage(ctx, s, func(p arena.Progress) string { return timeInAll(p, later) }); err != nil {
			return err
		}
	}
	return nil
}

// minBatch is the least number of matches that are played before the test is asked
// again: fewer would often leave cores without a game.
const minBatch = 4

// playUntilDecided plays what is left of the events, one after the other, until the
// sequential test of each ends. With --report-only it does nothing.
func (t trial) playUntilDecided(ctx context.Context, events []tournament.Event) (err error) {
	if t.reportOnly {
		return nil
	}
	p, err := newTrialPlayer(ctx, t, events)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	for i, e := range events {
		if err := p.playBatches(ctx, e, p.played[i], p.played[i+1:]); err != nil {
			return err
		}
	}
	return nil
}

// playBatches plays an event batch by batch until its test ends. The waiting events
// are played after it.
func (p *trialPlayer) playBatches(ctx context.Context, e tournament.Event, played experiment.Played, waiting []experiment.Played) error {
	most, batch := e.Matches, max(minBatch, e.Concurrency)
	later := 0
	for _, w := range waiting {
		later += w.GamesLeft(most)
	}
	for {
		if e.Matches = played.Next(most, batch); e.Matches == 0 {
			return nil
		}
		after := later + 2*max(0, most-e.Matches)
		err := p.playStage(ctx, stage{wanted: e, recorded: played.Event}, func(p arena.Progress) string { return timeAtMost(p, after) })
		if err != nil {
			return err
		}
		now, err := experiment.Read(context.WithoutCancel(ctx), p.store, []tournament.Event{e})
		if err != nil {
			return err
		}
		played = now[0]
		if !p.trial.quiet {
			fmt.Fprintln(p.trial.messages, played.Summary())
		}
	}
}

// stage is an event of an experiment that is to be played to its end.
type stage struct {
	wanted   tournament.Event
	recorded tournament.Event // its ID is 0 if it is not recorded
	left     int              // games
}

func newStage(wanted tournament.Event, played experiment.Played) stage {
	wanted.Matches = max(wanted.Matches, played.Event.Matches)
	return stage{wanted, played.Event, 2*format.New(wanted).Total().Matches - len(played.Games)}
}

// playStage plays one event to its end. Each line of progress ends with the text
// that timeLeft returns.
func (p *trialPlayer) playStage(ctx context.Context, s stage, timeLeft func(arena.Progress) string) error {
	if err := ctx.Err(); err != nil {
		return err // interrupted between two events
	}
	ctx = context.WithoutCancel(ctx)
	id, err := p.start(ctx, s)
	if err != nil {
		return err
	}
	show := newDisplay(p.trial.messages, p.trial.quiet)
	if !p.trial.quiet {
		fmt.Fprintf(p.trial.messages, "%s:\n", s.wanted.Name)
	}
	last, err := p.local.client.Follow(ctx, id, func(now arena.Progress) { show.show(now, progressLine(now)+timeLeft(now)) })
	show.end()
	return unfinished(p.trial.messages, id, last, err, sameCommand())
}

// start starts or resumes the event of a stage and returns its number.
func (p *trialPlayer) start(ctx context.Context, s stage) (int64, error) {
	id := s.recorded.ID
	if id == 0 {
		return p.local.client.Start(ctx, s.wanted)
	}
	if err := p.store.Extend(ctx, id, s.wanted.Matches); err != nil {
		return 0, err
	}
	return id, p.local.client.Resume(ctx, id)
}

// timeInAll returns how long this event and the later games take together, if each
// of these takes as long as a game of this event.
func timeInAll(p arena.Progress, later int) string {
	games := p.Total - p.Done
	if later == 0 || p.Left == 0 || games == 0 {
		return ""
	}
	left := time.Duration(p.Left)
	return ", " + clock(left+left/time.Duration(games)*time.Duration(later)) + " in all"
}

// timeAtMost returns how long it takes if no test ends before its last match.
func timeAtMost(p arena.Progress, later int) string {
	if text := timeInAll(p, later); text != "" {
		return text + " at most"
	}
	return ""
}

package arena

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// performance is an event being played on this arena.
type performance struct {
	feed  *feed
	field *field // nil if it was over when it was resumed
	stop  context.CancelFunc

	pausing sync.Mutex // one after the other
}

// over is the performance of an event of which nothing is left to play.
func over(e tournament.Event, games []tournament.Game) *performance {
	p := &performance{feed: newFeed(e, games), stop: func() {}}
	p.feed.Progress(len(games), p.feed.board.total())
	p.feed.end(Finished, "")
	return p
}

// pause lets no new games begin, or lets them begin again. To pause what is paused
// or to resume what is not changes nothing.
func (p *performance) pause(ctx context.Context, paused bool) error {
	p.pausing.Lock()
	defer p.pausing.Unlock()
	now, _ := p.feed.latest()
	switch {
	case now.State.Final():
		return &RequestError{fmt.Errorf("event %d is not being played: it is %s", now.Event, now.State)}
	case paused == (now.State == Paused):
		return nil
	case now.State == Waiting:
		return &RequestError{fmt.Errorf("event %d still waits for its bots", now.Event)}
	}
	select {
	case p.field.pauses <- paused:
		p.feed.pause(paused)
		return nil
	case <-p.field.playing.Done():
		return &RequestError{fmt.Errorf("event %d is no longer being played", now.Event)}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// perform plays an event to its end. It returns ErrInterrupted if ctx ends, and
// another error if we fail: the journal, or the process of a started bot.
func (h *host) perform(ctx context.Context, f *field, watcher tournament.Watcher) error {
	err := f.launch()
	if err == nil {
		err = f.assemble(f.playing)
	}
	if err == nil {
		err = h.referee(f.playing, f, watcher)
	}
	if !errors.Is(err, tournament.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		return err
	}
	if ctx.Err() != nil {
		return tournament.ErrInterrupted
	}
	return context.Cause(f.playing)
}

// referee plays the games that are left, into the event's journal.
func (h *host) referee(ctx context.Context, f *field, watcher tournament.Watcher) error {
	bots, err := f.bots()
	if err != nil {
		return err
	}
	return journalled(ctx, h.store.Journal(f.event.ID), func(ctx context.Context, j tournament.Journal) error {
		runner := tournament.Runner{Event: f.event, Format: format.New, Bots: bots, Journal: j, Watcher: watcher, Changes: f.changes, Pauses: f.pauses}
		_, err := runner.Run(ctx)
		return err
	})
}

// journalled calls play while the journal writes. If the journal fails, play's
// context ends; after play the journal writes what is left.
func journalled(ctx context.Context, j Journal, play func(context.Context, tournament.Journal) error) error {
	writing, finish := context.WithCancel(context.WithoutCancel(ctx))
	playing, stop := context.WithCancel(ctx)
	defer stop()
	var writeErr error
	var writer sync.WaitGroup
	writer.Go(func() {
		writeErr = j.Run(writing)
		stop()
	})
	err := play(playing, j)
	finish()
	writer.Wait()
	if writeErr != nil {
		return fmt.Errorf("keeping the journal: %w", writeErr)
	}
	return err
}

// conclude says on the feed and in the log how an event went.
func (h *host) conclude(f *feed, err error) {
	state, message := Finished, ""
	switch {
	case errors.Is(err, tournament.ErrInterrupted):
		state = Interrupted
	case err != nil:
		state, message = Failed, err.Error()
	}
	f.end(state, message)
	now, _ := f.latest()
	h.log.Info("event ended", "event", now.Event, "state", state, "games", now.Done, "of", now.Total, "took", time.Duration(now.Elapsed), "why", message)
}

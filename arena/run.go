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

// run is one event being played, from its start or resume to its end.
type run struct {
	host   *host
	feed   *feed
	lineup *lineup // nil if the event was complete when it was resumed
	stop   context.CancelFunc

	pausing sync.Mutex // held by setPaused: one change at a time
}

// completeRun returns the run of an event that has no games left to play.
func completeRun(recorded *Record) *run {
	r := &run{feed: newFeed(recorded), stop: func() {}}
	r.feed.Progress(tournament.Counts{Done: recorded.games, Total: recorded.format.Total()})
	r.feed.end(Finished, "")
	return r
}

// setPaused stops new games from starting, or lets them start again. If the
// event is already in that state, setPaused does nothing.
func (r *run) setPaused(ctx context.Context, paused bool) error {
	r.pausing.Lock()
	defer r.pausing.Unlock()
	now, _ := r.feed.latest()
	switch {
	case now.State.Final():
		return &RequestError{fmt.Errorf("event %d is not being played: it is %s", now.Event, now.State)}
	case paused == (now.State == Paused):
		return nil
	case now.State == Waiting:
		return &RequestError{fmt.Errorf("event %d is still waiting for its bots", now.Event)}
	}
	select {
	case r.lineup.pauses <- paused:
		return r.feed.awaitPaused(ctx, paused)
	case <-r.lineup.playing.Done():
		return &RequestError{fmt.Errorf("event %d is no longer being played", now.Event)}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// play plays the event to its end. It returns tournament.ErrInterrupted if ctx
// ends, and another error if the arena fails: its journal, or the process of a
// bot that it started.
func (r *run) play(ctx context.Context) error {
	l := r.lineup
	err := l.launchAll()
	if err == nil {
		err = l.waitForBots(l.playing)
	}
	if err == nil {
		err = r.playGames(l.playing)
	}
	if !errors.Is(err, tournament.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		return err
	}
	if ctx.Err() != nil {
		return tournament.ErrInterrupted
	}
	return context.Cause(l.playing)
}

// playGames plays the remaining games and records them in the event's journal.
func (r *run) playGames(ctx context.Context) error {
	l := r.lineup
	bots, err := l.bots()
	if err != nil {
		return err
	}
	return withJournal(ctx, r.host.store.Journal(l.event.ID), func(ctx context.Context, j tournament.Journal) error {
		runner := tournament.Runner{
			Event: l.event, Format: format.New, Bots: bots, Journal: j,
			Watcher: r.feed, Changes: l.changes, Pauses: l.pauses,
			Running: r.host.stalls,
		}
		return runner.Run(ctx)
	})
}

// withJournal calls play while the journal writes. If the journal fails, the
// context of play ends. After play, the journal writes what is left.
func withJournal(ctx context.Context, j Journal, play func(context.Context, tournament.Journal) error) error {
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
		return fmt.Errorf("writing the journal: %w", writeErr)
	}
	return err
}

// logFault logs the last of these faults, unless that would be one too many for a log.
func (r *run) logFault(f *Faults) {
	if f.Games > len(f.First) {
		return // the end of the event tells how many there were
	}
	last := f.First[len(f.First)-1]
	r.host.log.Warn("game lost by a fault", "event", r.lineup.event.ID, "game", last.Game, "match", last.Match, "bot", last.Bot, "fault", last.Fault, "why", last.Detail)
	if f.Games == MaxFaults {
		r.host.log.Warn("further faults of this event are counted, not logged", "event", r.lineup.event.ID)
	}
}

// end publishes and logs the event's final state. err is the result of play.
func (r *run) end(err error) {
	state, message := Finished, ""
	switch {
	case errors.Is(err, tournament.ErrInterrupted):
		state = Interrupted
	case err != nil:
		state, message = Failed, err.Error()
	}
	r.feed.end(state, message)
	r.host.retire(r)
	now, _ := r.feed.latest()
	faults := 0
	if now.Faults != nil {
		faults = now.Faults.Games
	}
	r.host.log.Info("event ended", "event", now.Event, "state", state, "games", now.Done, "of", now.Total, "faults", faults, "took", time.Duration(now.Elapsed), "why", message)
}

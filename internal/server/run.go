package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"versus2048/internal/server/trouble"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/format"
)

// run is one event, from its start or resume, or from its entry into the queue, to its end.
type run struct {
	host       *host
	feed       *feed
	event      tournament.Event
	entries    []tournament.Entry // the participants of this run
	life       context.Context    // ends when the event must stop
	cancel     context.CancelCauseFunc
	gone       []trouble.Gone // the bots that the event had lost before this run, and has not got back; see lost
	openLadder *openLadder    // of an open ladder, else nil

	admitted  chan struct{}          // closed by admit
	lineup    atomic.Pointer[lineup] // nil before admit sets it
	pausing   sync.Mutex             // held by setPaused: one change at a time
	resumeWhy string                 // the reason to resume the event at once from the record; "" if there is none
	noting    sync.Mutex             // held for item
	item      agenda.Item            // the event on the agenda; has no place if the event is not there
	hindered  atomic.Value           // a string: the error of the last failed attempt to begin; nil before the first
}

// await starts the run of an event. The run waits in the background until it is admitted. If the event is being played
// or waits already, await returns nil without an error. If the record is out of date, it returns errExtended.
func (h *host) await(recorded *Record, item agenda.Item) (*run, error) {
	h.runs.mu.Lock()
	defer h.runs.mu.Unlock()
	if r := h.runs.byEvent[item.Event]; r != nil && !r.feed.final() {
		return nil, nil
	}
	if recorded.current != nil && !recorded.current() { // after this check nobody extends the event
		return nil, errExtended
	}
	return h.startRun(recorded, item)
}

// startRun starts the run of an event in the background. It returns a *RequestError if no event may begin now. The
// caller holds runs.mu.
func (h *host) startRun(recorded *Record, item agenda.Item) (*run, error) {
	if err := h.runs.unready(); err != nil {
		return nil, err
	}
	r := newRun(h, recorded, item)
	h.runs.begin(r)
	h.runs.active.Go(r.live)
	return r, nil
}

// newRun returns a run of the event in a record. The run has not begun yet.
func newRun(h *host, recorded *Record, item agenda.Item) *run {
	r := &run{host: h, feed: newFeed(recorded), event: recorded.board.Event(), entries: recorded.board.Participants(), item: item, admitted: make(chan struct{})}
	r.life, r.cancel = context.WithCancelCause(h.runs.life)
	r.feed.away, r.feed.faulted, r.feed.judged = r.away, r.logFault, r.judge
	r.feed.unchecked = r.unchecked
	r.feed.told, r.gone = h.told, gone(r.feed.board)
	r.feed.arena = &h.runs.changes
	return r
}

// completeRun returns the run of an event that has no games left to play.
func completeRun(recorded *Record) *run {
	r := &run{feed: newFeed(recorded), cancel: func(error) {}}
	r.feed.Progress(recorded.board.Counts())
	r.feed.end(Finished, "")
	return r
}

// admit lets the event begin with these bots. It is called once.
func (r *run) admit(l *lineup) {
	l.playing, l.fail = context.WithCancelCause(r.life)
	if l.open() {
		r.openLadder = newOpenLadder(r, l) // set first: a reader that finds the lineup must find the open ladder
	}
	r.lineup.Store(l)
	l.entrants.roster.Tell(l.stay, r.feed.moved)
	r.feed.update(func(p *Progress) { p.State, p.Queue = Waiting, nil })
	close(r.admitted)
}

// away returns the bots that are disconnected from the event.
func (r *run) away() []AwayBot {
	if l := r.lineup.Load(); l != nil {
		return l.away()
	}
	return nil
}

// unchecked returns the bots of the event that workers play without a check.
func (r *run) unchecked(e tournament.Event) (all []UncheckedBot) {
	l := r.lineup.Load()
	if l == nil || !l.farmed() {
		return nil
	}
	for _, entry := range e.Entries {
		if !l.executor.Takes(entry) {
			continue
		}
		if why := l.executor.Unchecked(e, entry); why != "" {
			all = append(all, UncheckedBot{entry.Name, why})
		}
	}
	return all
}

// live waits until the event is admitted, and then plays it.
func (r *run) live() {
	defer r.cancel(nil)
	err := r.awaitTurn()
	if err == nil {
		err = r.play()
	}
	if l := r.lineup.Load(); l != nil {
		l.fail(nil)
		l.releaseAll()
	}
	r.end(err)
	if r.resumeWhy != "" && r.wanted() {
		r.host.runs.goPlay(r.playOn)
	}
}

// wanted reports whether the event is to go on: nobody has paused or stopped it.
func (r *run) wanted() bool {
	r.pausing.Lock() // setPaused may be changing item.Wanted
	defer r.pausing.Unlock()
	wanted := r.planned().Wanted
	return r.life.Err() == nil && wanted != agenda.Paused && wanted != agenda.Stopped
}

// playOn resumes the event after this run has ended. If that fails, as when other events have taken its bots, the event
// waits in the queue.
func (r *run) playOn(ctx context.Context) {
	err := r.host.Resume(ctx, r.event.ID)
	if err != nil {
		err = r.host.queue.requeue(ctx, r.event.ID)
	}
	if err != nil {
		r.host.log.Error("the event does not go on", "event", r.event.ID, "why", err)
	}
}

// takeBack takes back the games of workers that are not to be trusted, so that these games are played again. If that
// works, it returns tournament.ErrInterrupted.
func (r *run) takeBack(d *tournament.DistrustError) error {
	games, all := d.Games, 0
	for worker := range d.Workers {
		n, err := r.host.store.Reopen(context.WithoutCancel(r.life), r.event.ID, worker, games, format.Adapts(r.event.Settings.Plan))
		if err != nil {
			return err
		}
		all, games = all+n, nil // d.Games are taken back once
	}
	r.host.log.Error("games are played again", "event", r.event.ID, "games", all, "why", d)
	r.resumeWhy = fmt.Sprintf("%d games are played again: %v", all, d)
	return tournament.ErrInterrupted
}

// meetWorkers gives the executor the names of the workers that have played games of the event before. It returns a
// *tournament.DistrustError if some of these workers are no longer trusted.
func (r *run) meetWorkers() error {
	l := r.lineup.Load()
	if l.executor == nil {
		return nil
	}
	workers, err := r.host.store.Workers(context.WithoutCancel(r.life), r.event.ID)
	if err != nil {
		return err
	}
	return l.executor.Met(workers...)
}

// awaitTurn waits until the event is admitted. If the event ends first, awaitTurn returns tournament.ErrInterrupted or
// the error that ended the event.
func (r *run) awaitTurn() error {
	select {
	case <-r.admitted:
		return nil
	case <-r.life.Done():
	}
	r.host.queue.remove(r) // the queue may have admitted the run just now
	if why := context.Cause(r.life); !errors.Is(why, context.Canceled) {
		return why
	}
	return tournament.ErrInterrupted
}

// setPaused stops new games from starting, or lets them start again. If the event is already in that state, setPaused
// does nothing. It returns a *RequestError if the event is over, in the queue or waiting for its bots.
func (r *run) setPaused(ctx context.Context, paused bool) error {
	r.pausing.Lock()
	defer r.pausing.Unlock()
	now, _ := r.feed.latest()
	switch {
	case now.State.Ended():
		return &RequestError{fmt.Errorf("event %d is not being played: it is %s", now.Event, now.State)}
	case paused == (now.State == Paused):
		return nil
	case now.State.InQueue():
		return &RequestError{fmt.Errorf("event %d has not begun: it is %s; cancel it if it should not begin", now.Event, now.State)}
	case now.State == Waiting:
		return &RequestError{fmt.Errorf("event %d is still waiting for its bots", now.Event)}
	}
	l, wanted := r.lineup.Load(), agenda.Running
	if paused {
		wanted = agenda.Paused
	}
	select {
	case l.pauses <- paused:
		r.host.complain(now.Event, r.note(ctx, func(i *agenda.Item) error {
			i.Wanted = wanted
			return nil
		}))
		return r.feed.await(ctx, func(p *Progress) bool { return paused == (p.State == Paused) })
	case <-l.playing.Done():
		return &RequestError{fmt.Errorf("event %d is no longer being played", now.Event)}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// interrupt interrupts an event that is to go on later, and waits until its games have stopped.
func (r *run) interrupt(ctx context.Context) error {
	l := r.lineup.Load()
	if l == nil {
		return &RequestError{fmt.Errorf("event %d is in the queue: cancel it first", r.event.ID)}
	}
	l.fail(tournament.ErrInterrupted)
	return r.feed.awaitEnd(ctx)
}

// play plays the event to its end. It returns tournament.ErrInterrupted if the event is stopped, interrupted or has to
// play games again. It returns another error if the event fails: if a bot cannot start or does not connect, if the
// process of a bot ends, or if the journal fails.
func (r *run) play() error {
	l := r.lineup.Load()
	err := r.meetWorkers()
	if err == nil {
		err = l.launchAll()
	}
	if err == nil {
		err = l.waitForBots(l.playing)
	}
	if err == nil {
		err = r.playGames(l.playing)
	}
	if distrust := (*tournament.DistrustError)(nil); errors.As(err, &distrust) {
		return r.takeBack(distrust)
	}
	if !errors.Is(err, tournament.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		return err
	}
	if r.life.Err() != nil {
		return tournament.ErrInterrupted
	}
	return context.Cause(l.playing)
}

// playGames plays the remaining games and records them in the event's journal.
func (r *run) playGames(ctx context.Context) error {
	l := r.lineup.Load()
	bots, err := l.bots()
	if err != nil {
		return err
	}
	r.host.log.Info("event begins", "event", l.event.ID, "name", l.event.Name, "bots", len(bots))
	for _, b := range r.feed.check(l.event) {
		r.host.log.Warn("a bot's matches on workers cannot be checked", "event", l.event.ID, "bot", b.Bot, "why", b.Why)
	}
	return r.host.journalled(ctx, l.event.ID, func(ctx context.Context, j tournament.Journal) error {
		runner := tournament.Runner{
			Event: l.event, Board: r.feed.board, Bots: bots, Journal: j,
			Watcher: r.host.metrics.Watch(r.logged(r.feed)), Changes: l.changes, Leaving: r.leavers(), Pauses: l.pauses,
			Slots: l.stay.Allocation, Running: r.host.stalls, Elsewhere: l.executor,
		}
		if r.openLadder != nil {
			defer r.openLadder.open(ctx)()
		} else {
			defer l.expect(ctx, &r.feed.bots)()
		}
		if excludesForGood(&l.event) {
			defer r.partWithExcluded(ctx)()
		}
		return runner.Run(ctx)
	})
}

// leavers returns the bots that had left before the event was stopped or interrupted, and have matches to finish. A bot
// is released in the background when its channel is closed.
func (r *run) leavers() map[string]chan<- struct{} {
	l, leaving := r.lineup.Load(), map[string]chan<- struct{}{}
	for _, entry := range l.entries {
		if l.event.Present(entry.Name) {
			continue
		}
		free := make(chan struct{})
		leaving[entry.Name] = free
		r.host.runs.active.Go(func() { l.releaseAfter(free, entry.Name) }) // safe during close: the event itself is active
	}
	return leaving
}

// logged returns a watcher that logs the games before it calls next, or next itself if the log does not have the
// level Debug.
func (r *run) logged(next tournament.Watcher) tournament.Watcher {
	log := r.host.log.With("event", r.event.ID)
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return next
	}
	return gameLog{next, log}
}

// gameLog logs each game.
type gameLog struct {
	tournament.Watcher
	log *slog.Logger // of its event
}

func (l gameLog) Begun(g tournament.Game) {
	r := &g.Record
	l.log.Debug("game begun", "game", g.ID, "match", g.Match, "attacker", r.Attacker, "defender", r.Defender, "plies", len(r.Moves))
	l.Watcher.Begun(g)
}

func (l gameLog) Ended(g tournament.Game, result tournament.Result, decided *tournament.MatchResult) {
	r := &g.Record
	l.log.Debug("game ended", "game", g.ID, "match", g.Match, "attacker", r.Attacker, "defender", r.Defender,
		"ending", r.Ending, "score", result.Score, "plies", len(r.Moves))
	l.Watcher.Ended(g, result, decided)
}

// logFault logs the last fault, unless the log already has tournament.MaxFaults faults of the event.
func (r *run) logFault() {
	f := r.feed.board.Faults()
	if f.Games > len(f.First) {
		return // the line about the end of the event has their number
	}
	last := f.First[len(f.First)-1]
	r.host.log.Warn("game lost by a fault", "event", r.event.ID, "game", last.Game, "match", last.Match, "bot", last.Bot, "fault", last.Fault, "why", last.Detail)
	if f.Games == tournament.MaxFaults {
		r.host.log.Warn("further faults of this event are counted, not logged", "event", r.event.ID)
	}
}

// end publishes and logs the event's final state. err is the error of awaitTurn or play.
func (r *run) end(err error) {
	state, message := Finished, ""
	switch {
	case errors.Is(err, tournament.ErrInterrupted):
		state, message = Interrupted, r.resumeWhy
	case err != nil:
		state, message = Failed, err.Error()
	}
	if state == Finished && r.planned().Place != 0 {
		r.host.complain(r.event.ID, r.host.agenda.Drop(context.WithoutCancel(r.life), r.event.ID))
	}
	r.feed.end(state, message)
	r.host.runs.retire(r)
	r.host.metrics.EventEnded(string(state))
	now, _ := r.feed.latest()
	faults := 0
	if now.Faults != nil {
		faults = now.Faults.Games
	}
	r.host.log.Info("event ended", "event", now.Event, "state", state, "games", now.Done, "of", now.Total, "faults", faults, "took", time.Duration(now.Elapsed), "why", message)
}

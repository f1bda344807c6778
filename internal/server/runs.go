package server

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"versus2048/internal/server/metrics"
	"versus2048/internal/server/trouble"
	"versus2048/tournament"
)

// runs has the runs of the events that are being played, wait in the queue, or are over. When the arena shuts down,
// runs waits for the end of the work in the background. Its exported methods are for pages that show the arena. They
// read copies of the games' states, so that no game waits for them.
type runs struct {
	changes signal // of every change of an event except plies, and of bots that come and go
	begun   signal // of events that begin, go on or get other matches

	life    context.Context // the arena's lifetime: events stop when it ends
	active  sync.WaitGroup  // the work in the background: events, bots that leave them, and calls of goPlay
	mu      sync.Mutex
	byEvent map[int64]*run // the events that are being played or in the queue, and the last keptRuns that are over
	over    []int64        // numbers of the events in byEvent that are over, in the order of their ends
	past    []Progress     // the progress of events that are over and no longer in byEvent, the oldest first
	closed  bool
}

func newRuns() *runs { return &runs{byEvent: map[int64]*run{}} }

// The numbers of events that are over and still in memory. The last keptRuns events keep their runs, so that their
// followers learn of the end. The keptPast events before them keep only their progress. Older events are only in the
// store.
const (
	keptRuns = 8
	keptPast = 1000
)

// open lets events be played until life ends.
func (rs *runs) open(life context.Context) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.life = life
}

// isOpen reports whether open was called.
func (rs *runs) isOpen() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.life != nil
}

// ready returns a *RequestError if no event may begin: the arena is not open yet, or is shutting down.
func (rs *runs) ready() error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.unready()
}

// unready returns the error of ready. The caller holds the lock.
func (rs *runs) unready() error {
	switch {
	case rs.closed:
		return &RequestError{errShutdown}
	case rs.life == nil:
		return &RequestError{errNotOpen}
	}
	return nil
}

// of returns an event's run. It returns nil if the event is neither being played nor in the queue, and is not among
// the last keptRuns that ended.
func (rs *runs) of(id int64) *run {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.byEvent[id]
}

// existing returns an event's run, or a *RequestError if there is none.
func (rs *runs) existing(id int64) (*run, error) {
	r := rs.of(id)
	if r == nil {
		return nil, &RequestError{fmt.Errorf("event %d is not being played here", id)}
	}
	return r, nil
}

// playing returns the run of an event that is being played, or else a *RequestError.
func (rs *runs) playing(id int64) (*run, error) {
	r := rs.current(id)
	if r == nil || r.lineup.Load() == nil {
		return nil, &RequestError{fmt.Errorf("event %d is not being played: resume it first", id)}
	}
	return r, nil
}

// feeds returns the feeds of all runs.
func (rs *runs) feeds() (all []*feed) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.byEvent {
		all = append(all, r.feed)
	}
	return all
}

// Events returns the progress of the recorded events that are being played or wait in the queue, and of about the last
// thousand others that ended since the arena started, by number.
func (rs *runs) Events() []Progress {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	all := append([]Progress{}, rs.past...)
	for _, r := range rs.byEvent {
		now, _ := r.feed.latest()
		all = append(all, now)
	}
	all = slices.DeleteFunc(all, func(p Progress) bool { return p.Event < 0 })
	slices.SortFunc(all, func(a, b Progress) int { return cmp.Compare(a.Event, b.Event) })
	return all
}

// Latest returns an event's progress without details. ok is false if the event is not in memory.
func (rs *runs) Latest(id int64) (p Progress, ok bool) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if r := rs.byEvent[id]; r != nil {
		p, _ = r.feed.latest()
		return p, true
	}
	i := slices.IndexFunc(rs.past, func(p Progress) bool { return p.Event == id })
	if i < 0 {
		return p, false
	}
	return rs.past[i], true
}

// begin makes r the run of its event. The caller holds the lock.
func (rs *runs) begin(r *run) {
	id := r.feed.now.Event
	rs.forget(id)
	rs.byEvent[id] = r
	rs.changes.give()
}

// forget forgets an earlier run of an event, since the run shows the event as it was then. The caller holds the lock.
func (rs *runs) forget(id int64) {
	delete(rs.byEvent, id)
	rs.over = slices.DeleteFunc(rs.over, func(over int64) bool { return over == id })
	rs.past = slices.DeleteFunc(rs.past, func(p Progress) bool { return p.Event == id })
	rs.begun.give()
}

// retire keeps a run that is over, for a while.
func (rs *runs) retire(r *run) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if id := r.feed.now.Event; rs.byEvent[id] == r {
		rs.keep(id)
	}
}

// keep adds an event to the runs that are over. If these are more than keptRuns, keep drops the run of the oldest
// event, and keeps the progress if this event has a record. The caller holds the lock.
func (rs *runs) keep(id int64) {
	rs.over = append(rs.over, id)
	if len(rs.over) > keptRuns {
		oldest := rs.over[0]
		last, _ := rs.byEvent[oldest].feed.latest()
		delete(rs.byEvent, oldest)
		rs.over = slices.Delete(rs.over, 0, 1)
		if oldest > 0 {
			rs.past = append(rs.past, last)
		}
		rs.past = slices.Delete(rs.past, 0, max(0, len(rs.past)-keptPast))
	}
}

// close stops new events from starting and waits until all events in progress have ended. Call it after life has ended.
func (rs *runs) close() {
	rs.mu.Lock()
	rs.closed = true
	rs.mu.Unlock()
	rs.active.Wait()
}

// goPlay runs play in the background, and makes the end of the arena wait for play. If the arena is shutting down,
// goPlay only returns false.
func (rs *runs) goPlay(play func(ctx context.Context)) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.closed {
		return false
	}
	rs.active.Go(func() { play(rs.life) })
	return true
}

// playingOf returns an error if an event of the series is being played. The caller holds the lock.
func (rs *runs) playingOf(series int64) error {
	for id, other := range rs.byEvent {
		if series != 0 && other.lineup.Load() != nil && !other.feed.final() && other.planned().Series == series {
			return fmt.Errorf("event %d of its series is still being played", id)
		}
	}
	return nil
}

// unlessPlaying calls do with the event's last run, nil if there is none, and returns the error of do. If the event is
// being played or waits in the queue, unlessPlaying does not call do, and returns its second argument. Nobody can
// resume the event while do runs.
func (rs *runs) unlessPlaying(id int64, otherwise error, do func(last *run) error) error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	last := rs.byEvent[id]
	if last != nil && !last.feed.final() {
		return otherwise
	}
	return do(last)
}

// current returns the run of an event that is being played or waits in the queue, nil for other events.
func (rs *runs) current(id int64) *run {
	if r := rs.of(id); r != nil && !r.feed.final() {
		return r
	}
	return nil
}

// Joinable reports whether bots can join the event now.
func (rs *runs) Joinable(event int64) bool {
	r := rs.current(event)
	return r != nil && r.lineup.Load() != nil && r.feed.board.Joinable() == nil
}

// isPlaying reports whether games other than visitors' are being played.
func (rs *runs) isPlaying() bool {
	return slices.ContainsFunc(rs.feeds(), (*feed).isPlaying)
}

// count sets the numbers of unfinished events, of their games and of the bots that are away from them.
func (rs *runs) count(now *metrics.State) {
	now.Events = map[string]int{string(Waiting): 0, string(Running): 0, string(Paused): 0}
	away := map[string]bool{}
	for _, f := range rs.feeds() {
		f.mu.Lock()
		p, waiting := f.now, f.waiting
		f.mu.Unlock()
		if p.State.Ended() {
			continue
		}
		now.Events[string(p.State)]++
		now.Playing += p.Playing
		now.Waiting += waiting
		if f.away != nil {
			for _, bot := range f.away() {
				away[bot.Bot] = true
			}
		}
	}
	now.Away = len(away)
}

// snapshots returns the state of the events that are in the queue, are being played or have failed.
func (rs *runs) snapshots() (all []trouble.Event) {
	rs.mu.Lock()
	past, played := slices.Clone(rs.past), slices.Collect(maps.Values(rs.byEvent))
	rs.mu.Unlock()
	for _, p := range past {
		if p.State == Failed && !p.private() {
			all = append(all, trouble.Event{ID: p.Event, Name: p.Name, Failure: p.Message})
		}
	}
	for _, r := range played {
		if e, ok := r.snapshot(); ok {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b trouble.Event) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// LiveGame is the state of a game in progress at one moment. Its record shares memory with the game's own record and
// must not be changed.
type LiveGame struct {
	Event int64
	tournament.Game
	Since time.Time // when the last ply was played, or when the game began or was resumed if that was later
	// Changed is closed at the next ply, at the end of the game, and when a bot of the event comes or goes. Only
	// Server.Game sets it.
	Changed <-chan struct{}
}

// Changed returns a channel that is closed at an event's next change other than a ply. If the event is neither being
// played nor in the queue, the channel is closed when any event begins, goes on or gets other matches. Look at the
// event after the call, so that you miss no change.
func (rs *runs) Changed(event int64) <-chan struct{} { return rs.changed(event, false) }

// Moved is Changed with plies: the channel is also closed at the next ply.
func (rs *runs) Moved(event int64) <-chan struct{} { return rs.changed(event, true) }

// AnyChanged returns a channel that is closed when a bot comes or goes, or when anything but a ply changes an event.
func (rs *runs) AnyChanged() <-chan struct{} { return rs.changes.changed() }

// changed is Moved if plies is set, and else Changed.
func (rs *runs) changed(event int64, plies bool) <-chan struct{} {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.byEvent[event]
	switch {
	case r == nil || r.feed.final():
		return rs.begun.changed()
	case plies:
		return r.feed.every.changed()
	}
	return r.feed.shown.changed()
}

// Progress returns an event's progress, with its games in progress and its standings. ok is false if the event has no
// run in memory, see keptRuns: then only the database has the standings.
func (rs *runs) Progress(event int64) (p Progress, ok bool) {
	run := rs.of(event)
	if run == nil {
		return p, false
	}
	p, _ = run.feed.detailed()
	return p, true
}

// Follow calls show with an event's progress, without details: after each change, but at most once in each interval. It
// also calls show after ten seconds without a change, or after one second while the time of an absent bot runs. It ends
// when the event is over, show returns an error, or ctx ends. It returns the error of show or ctx, and a *RequestError
// if the event has no run.
func (rs *runs) Follow(ctx context.Context, event int64, interval time.Duration, show func(Progress) error) error {
	run, err := rs.existing(event)
	if err != nil {
		return err
	}
	return follow(ctx, interval, run.feed.latest, show)
}

// Playing returns the games in progress of all recorded events, by the number of the game.
func (rs *runs) Playing() (all []LiveGame) {
	for _, f := range rs.feeds() {
		all = append(all, f.live()...)
	}
	all = slices.DeleteFunc(all, func(g LiveGame) bool { return g.Event < 0 })
	slices.SortFunc(all, func(a, b LiveGame) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Game returns a game in progress. ok is false if no game of that number is in progress.
func (rs *runs) Game(id int64) (g LiveGame, ok bool) {
	for _, f := range rs.feeds() {
		if g, ok = f.game(id); ok {
			return g, true
		}
	}
	return g, false
}

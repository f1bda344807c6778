package server

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"versus2048/internal/server/metrics"
	"versus2048/internal/server/trouble"
	"versus2048/tournament"
)

// The host keeps the last events that are over: the last ones whole, so that their followers learn of their end, and
// the progress of some more. All others are in the store.
const (
	keptRuns = 8
	keptPast = 1000
)

// open lets events be played until life ends.
func (h *host) open(life context.Context) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.life = life
}

// isOpen reports whether open was called.
func (h *host) isOpen() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.life != nil
}

// run returns an event's run, or nil if the event is not being played and is not among the last ones that were.
func (h *host) run(id int64) *run {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.runs[id]
}

// existingRun returns an event's run, or an error if there is none.
func (h *host) existingRun(id int64) (*run, error) {
	r := h.run(id)
	if r == nil {
		return nil, &RequestError{fmt.Errorf("event %d is not being played here", id)}
	}
	return r, nil
}

// playing returns the run of an event that is being played.
func (h *host) playing(id int64) (*run, error) {
	r := h.run(id)
	if r == nil || r.lineup.Load() == nil || r.feed.final() {
		return nil, &RequestError{fmt.Errorf("event %d is not being played: resume it first", id)}
	}
	return r, nil
}

// feeds returns the feeds of the events being played, and of the last ones that were.
func (h *host) feeds() (all []*feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.runs {
		all = append(all, r.feed)
	}
	return all
}

// list returns the progress of the recorded events that are being played, and of the last keptPast others that were
// played since the arena started, by number.
func (h *host) list() []Progress {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := append([]Progress{}, h.past...)
	for _, r := range h.runs {
		now, _ := r.feed.latest()
		all = append(all, now)
	}
	all = slices.DeleteFunc(all, func(p Progress) bool { return p.Event < 0 })
	slices.SortFunc(all, func(a, b Progress) int { return cmp.Compare(a.Event, b.Event) })
	return all
}

// latest returns the progress of an event. ok is false if list does not have it.
func (h *host) latest(id int64) (p Progress, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.runs[id]; r != nil {
		p, _ = r.feed.latest()
		return p, true
	}
	i := slices.IndexFunc(h.past, func(p Progress) bool { return p.Event == id })
	if i < 0 {
		return p, false
	}
	return h.past[i], true
}

// begin makes r the run of its event. The caller holds the lock.
func (h *host) begin(r *run) {
	id := r.feed.now.Event
	h.forget(id)
	h.runs[id] = r
	h.changes.give()
}

// forget forgets an earlier run of an event, since the run shows the event as it was then. The caller holds the lock.
func (h *host) forget(id int64) {
	delete(h.runs, id)
	h.over = slices.DeleteFunc(h.over, func(over int64) bool { return over == id })
	h.past = slices.DeleteFunc(h.past, func(p Progress) bool { return p.Event == id })
	h.begun.give()
}

// retire keeps a run that is over, for a while.
func (h *host) retire(r *run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if id := r.feed.now.Event; h.runs[id] == r {
		h.keep(id)
	}
}

// keep adds an event to the runs that are over, and forgets the oldest of these. The caller holds the lock.
func (h *host) keep(id int64) {
	h.over = append(h.over, id)
	if len(h.over) > keptRuns {
		oldest := h.over[0]
		last, _ := h.runs[oldest].feed.latest()
		delete(h.runs, oldest)
		h.over = slices.Delete(h.over, 0, 1)
		if oldest > 0 {
			h.past = append(h.past, last)
		}
		h.past = slices.Delete(h.past, 0, max(0, len(h.past)-keptPast))
	}
}

// close stops new events from starting and waits until all events in progress
// have ended. Call it after life has ended.
func (h *host) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.active.Wait()
}

// goPlay runs play in the background, and makes the end of the arena wait for it. It reports false if
// the arena is shutting down.
func (h *host) goPlay(play func(ctx context.Context)) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.active.Go(func() { play(h.life) })
	return true
}

// playingOf returns an error if an event of the series is being played. The caller holds the lock.
func (h *host) playingOf(series int64) error {
	for id, other := range h.runs {
		if series != 0 && other.lineup.Load() != nil && !other.feed.final() && other.planned().Series == series {
			return fmt.Errorf("event %d of its series is still being played", id)
		}
	}
	return nil
}

// isPlaying reports whether games other than visitors' are being played.
func (h *host) isPlaying() bool {
	for _, f := range h.feeds() {
		if f.isPlaying() {
			return true
		}
	}
	return false
}

// count counts the events and games of the host, and the bots that are away from them.
func (h *host) count(now *metrics.State) {
	now.Events = map[string]int{string(Waiting): 0, string(Running): 0, string(Paused): 0}
	away := map[string]bool{}
	for _, f := range h.feeds() {
		f.mu.Lock()
		p, waiting := f.now, f.waiting
		f.mu.Unlock()
		if p.State.Final() {
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

// looks returns the state of the events that are being played or have failed.
func (h *host) looks() (all []trouble.Event) {
	h.mu.Lock()
	past, runs := slices.Clone(h.past), make([]*run, 0, len(h.runs))
	for _, r := range h.runs {
		runs = append(runs, r)
	}
	h.mu.Unlock()
	for _, p := range past {
		if p.State == Failed && !p.private() {
			all = append(all, trouble.Event{ID: p.Event, Name: p.Name, Failure: p.Message})
		}
	}
	for _, r := range runs {
		if e, ok := r.look(); ok {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b trouble.Event) int { return int(a.ID - b.ID) })
	return all
}

// LiveGame is the state of a game in progress at one moment. Its record shares memory with the game's own and must not
// be changed.
type LiveGame struct {
	Event int64
	tournament.Game
	Since time.Time // when the last ply was played; without one, when the game began or was resumed
	// Changed is closed at the next ply, at the end, and when a bot of the event comes or goes. Only Server.Game sets it.
	Changed <-chan struct{}
}

// Events returns the progress of the events being played and of the last others that were played
// since the arena started, by number.
func (s *Server) Events() []Progress { return s.host.list() }

// Changed returns a channel that is closed when something changes in an event but a ply, or if the event is not being
// played, when it is. Moved returns one that is also closed at a ply. Look at the event after the call.
func (s *Server) Changed(event int64) <-chan struct{} { return s.host.changed(event, false) }

// Moved is Changed with plies.
func (s *Server) Moved(event int64) <-chan struct{} { return s.host.changed(event, true) }

// AnyChanged returns a channel that is closed when a bot comes or goes, or when something but a ply changes in any event.
func (s *Server) AnyChanged() <-chan struct{} { return s.host.changes.changed() }

// changed returns the channel of an event for Changed and Moved.
func (h *host) changed(event int64, plies bool) <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.runs[event]
	switch {
	case r == nil || r.feed.final():
		return h.begun.changed()
	case plies:
		return r.feed.every.changed()
	}
	return r.feed.shown.changed()
}

// Progress returns an event's progress, with its games in progress and its standings. ok is false if the event has not
// been played since the arena started, or long ago: then only the database has it.
func (s *Server) Progress(event int64) (p Progress, ok bool) {
	run := s.host.run(event)
	if run == nil {
		return p, false
	}
	p, _ = run.feed.detailed()
	return p, true
}

// Latest is Progress without details. It also has the last events that were played long ago.
func (s *Server) Latest(event int64) (p Progress, ok bool) { return s.host.latest(event) }

// Follow calls show with an event's progress, without details, after each change but at most once in each interval,
// until the event is over, show returns an error, or ctx ends. It returns that error, and a *RequestError if the event
// is not being played.
func (s *Server) Follow(ctx context.Context, event int64, interval time.Duration, show func(Progress) error) error {
	run, err := s.host.existingRun(event)
	if err != nil {
		return err
	}
	return run.feed.follow(ctx, interval, show)
}

// Playing returns the games in progress of all events that are recorded, by number.
func (s *Server) Playing() (all []LiveGame) {
	for _, f := range s.host.feeds() {
		all = append(all, f.live()...)
	}
	all = slices.DeleteFunc(all, func(g LiveGame) bool { return g.Event < 0 })
	slices.SortFunc(all, func(a, b LiveGame) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Game returns a game in progress. ok is false if no game of that number is in progress.
func (s *Server) Game(id int64) (g LiveGame, ok bool) {
	for _, f := range s.host.feeds() {
		if g, ok = f.game(id); ok {
			return g, true
		}
	}
	return g, false
}

package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os/exec"
	"slices"
	"sync"

	"versus2048/clock"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// host starts, resumes, pauses and stops events, and lets bots join and leave
// them.
type host struct {
	store   Store
	roster  *roster
	stalls  *clock.Stalls
	launch  func(Launch) *exec.Cmd
	allowed Allowance
	memory  *memory
	botURL  string
	version string
	log     *slog.Logger

	life   context.Context // the arena's lifetime: events stop when it ends
	active sync.WaitGroup  // the events in progress, and the bots that are leaving them
	mu     sync.Mutex
	runs   map[int64]*run // by event, including those that are over
	closed bool
}

// start records a new event, starts to play it and returns its number.
func (h *host) start(ctx context.Context, asked tournament.Event) (int64, error) {
	if err := h.allowed.checkEvent(asked); err != nil {
		return 0, &RequestError{err}
	}
	e, err := Resolve(asked, h.roster.connected, h.roster.grace)
	if err != nil {
		return 0, &RequestError{err}
	}
	// Take the bots first, so that an event that cannot start is not recorded.
	l, err := newLineup(h, e, nil)
	if err != nil {
		return 0, &RequestError{err}
	}
	if e.ID, err = h.store.CreateEvent(ctx, e); err != nil {
		l.releaseAll()
		return 0, fmt.Errorf("recording the event: %w", err)
	}
	l.setEvent(e.ID)
	h.mu.Lock()
	defer h.mu.Unlock()
	return e.ID, h.play(l, nil)
}

// resume resumes a recorded event, or one that is paused. If the event is
// running or finished, resume does nothing.
func (h *host) resume(ctx context.Context, id int64) error {
	if r := h.run(id); r != nil && !r.feed.final() {
		return r.setPaused(ctx, false)
	}
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return &RequestError{err}
	}
	// An earlier version may have imported what cannot be played.
	if err := cmp.Or(format.Validate(e), h.allowed.checkEvent(e)); err != nil {
		return &RequestError{fmt.Errorf("event %d cannot be resumed: %w", id, err)}
	}
	games, err := h.store.Journal(id).Finished(ctx)
	if err != nil {
		return err
	}
	done := tournament.Matches(games)
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.runs[id]; r != nil && !r.feed.final() {
		return nil
	}
	if complete(format.New(e), done) {
		h.runs[id] = completeRun(e, games)
		return nil
	}
	l, err := newLineup(h, e, done)
	if err != nil {
		return &RequestError{err}
	}
	return h.play(l, games)
}

// play starts to play an event in the background. games are its finished games.
// The caller holds the lock.
func (h *host) play(l *lineup, games []tournament.Game) error {
	if h.closed {
		l.releaseAll()
		return &RequestError{errors.New("the arena is shutting down")}
	}
	ctx, stop := context.WithCancel(h.life)
	r := &run{host: h, feed: newFeed(l.event, games), lineup: l, stop: stop}
	l.playing, l.fail = context.WithCancelCause(ctx)
	r.feed.away, r.feed.faulted = l.away, r.logFault
	h.runs[l.event.ID] = r
	h.active.Go(func() {
		defer stop()
		err := r.play(ctx)
		l.fail(nil)
		l.releaseAll()
		r.end(err)
	})
	return nil
}

// pause stops new games of an event from starting.
func (h *host) pause(ctx context.Context, id int64) error {
	r, err := h.existingRun(id)
	if err != nil {
		return err
	}
	return r.setPaused(ctx, true)
}

// stop interrupts an event and waits until it has stopped.
func (h *host) stop(ctx context.Context, id int64) error {
	r, err := h.existingRun(id)
	if err != nil {
		return err
	}
	if now, _ := r.feed.latest(); now.State.Final() {
		return &RequestError{fmt.Errorf("event %d is not being played: it is %s", id, now.State)}
	}
	r.stop()
	return r.feed.follow(ctx, 0, func(Progress) error { return nil })
}

// join adds a bot to a ladder that is being played. bot is the name of a
// connected bot, a bot to start (SPEC or NAME=SPEC), or the name of a bot that
// has left the ladder.
func (h *host) join(ctx context.Context, id int64, bot string) error {
	l, err := h.lineup(id)
	if err != nil {
		return err
	}
	entry, err := h.joiningEntry(ctx, id, bot)
	if err != nil {
		return err
	}
	if err := l.take(entry); err != nil {
		return &RequestError{err}
	}
	if err := l.join(ctx, entry); err != nil {
		l.release(entry.Name)
		return &RequestError{err}
	}
	return h.updateEntries(ctx, id)
}

// joiningEntry returns the entry of a bot that wants to join an event.
func (h *host) joiningEntry(ctx context.Context, id int64, bot string) (tournament.Entry, error) {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return tournament.Entry{}, &RequestError{err}
	}
	known := func(entry tournament.Entry) bool { return entry.Name == bot }
	if i := slices.IndexFunc(e.Entries, known); i >= 0 {
		if e.Present(bot) {
			return e.Entries[i], &RequestError{fmt.Errorf("bot %q takes part in event %d already", bot, id)}
		}
		return e.Entries[i], nil
	}
	if err := h.allowed.check(bot); err != nil {
		return tournament.Entry{}, &RequestError{err}
	}
	entry, err := newEntry(bot, e, h.roster.connected)
	if err != nil {
		return entry, &RequestError{err}
	}
	return entry, nil
}

// leave removes a bot from a ladder that is being played. The bot first plays
// the matches that are already assigned to it; then its slot is released.
func (h *host) leave(ctx context.Context, id int64, name string) error {
	l, err := h.lineup(id)
	if err != nil {
		return err
	}
	free := make(chan struct{})
	if err := l.change(ctx, tournament.LineupChange{Entry: tournament.Entry{Name: name}, Free: free}); err != nil {
		return &RequestError{err}
	}
	if err := h.updateEntries(ctx, id); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil // the end of the event releases all bots
	}
	h.active.Go(func() {
		select {
		case <-free:
			l.release(name)
		case <-l.playing.Done():
		}
	})
	return nil
}

// updateEntries makes an event's standings include the bots that have joined.
func (h *host) updateEntries(ctx context.Context, id int64) error {
	e, err := h.store.Event(ctx, id)
	if r := h.run(id); err == nil && r != nil {
		r.feed.board.setEvent(e)
	}
	return err
}

// list returns the progress of all events played since the arena started.
func (h *host) list() []Progress {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := []Progress{}
	for _, id := range slices.Sorted(maps.Keys(h.runs)) {
		now, _ := h.runs[id].feed.latest()
		all = append(all, now)
	}
	return all
}

// run returns an event's run, or nil if the event was not played since the arena
// started.
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

// lineup returns the lineup of an event that is being played.
func (h *host) lineup(id int64) (*lineup, error) {
	r := h.run(id)
	if r == nil || r.lineup == nil || r.feed.final() {
		return nil, &RequestError{fmt.Errorf("event %d is not being played: resume it first", id)}
	}
	return r.lineup, nil
}

// close stops new events from starting and waits until all events in progress
// have ended. Call it after life has ended.
func (h *host) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.active.Wait()
}

package arena

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os/exec"
	"slices"
	"sync"

	"versus2048/tournament"
	"versus2048/tournament/format"
)

// host plays events.
type host struct {
	store   Store
	roster  *roster
	launch  func(Launch) *exec.Cmd
	botURL  string
	version string
	log     *slog.Logger

	life    context.Context // of the arena: events stop when it ends
	events  sync.WaitGroup  // those being played
	mu      sync.Mutex
	current map[int64]*performance // by event, also those that are over
	closed  bool
}

// start records a new event and begins to play it.
func (h *host) start(ctx context.Context, asked tournament.Event) (int64, error) {
	e, err := Resolve(asked, h.roster.connected, h.roster.grace)
	if err != nil {
		return 0, &RequestError{err}
	}
	// The bots first: an event that can't begin leaves no trace.
	f, err := h.engage(e, nil)
	if err != nil {
		return 0, &RequestError{err}
	}
	if e.ID, err = h.store.CreateEvent(ctx, e); err != nil {
		f.disband()
		return 0, fmt.Errorf("recording the event: %w", err)
	}
	f.enter(e.ID)
	h.mu.Lock()
	defer h.mu.Unlock()
	return e.ID, h.play(f, nil)
}

// resume goes on with a recorded event, or with one that is paused. To resume one
// that is being played, or is finished, changes nothing.
func (h *host) resume(ctx context.Context, id int64) error {
	if p := h.performance(id); p != nil && !p.feed.final() {
		return p.pause(ctx, false)
	}
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return &RequestError{err}
	}
	games, err := h.store.Journal(id).Finished(ctx)
	if err != nil {
		return err
	}
	done := tournament.Matches(games)
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.current[id]; p != nil && !p.feed.final() {
		return nil
	}
	if f := format.New(e); len(f.Next(done)) == 0 && !f.Total(done).Open() {
		h.current[id] = over(e, games)
		return nil
	}
	f, err := h.engage(e, done)
	if err != nil {
		return &RequestError{err}
	}
	return h.play(f, games)
}

// pause lets no new games of an event begin.
func (h *host) pause(ctx context.Context, id int64) error {
	p, err := h.played(id)
	if err != nil {
		return err
	}
	return p.pause(ctx, true)
}

// played is an event that was played since the arena was started.
func (h *host) played(id int64) (*performance, error) {
	p := h.performance(id)
	if p == nil {
		return nil, &RequestError{fmt.Errorf("event %d is not being played here", id)}
	}
	return p, nil
}

// stop interrupts an event that is being played, and waits until it has
// stopped.
func (h *host) stop(ctx context.Context, id int64) error {
	p, err := h.played(id)
	if err != nil {
		return err
	}
	if now, _ := p.feed.latest(); now.State.Final() {
		return &RequestError{fmt.Errorf("event %d is not being played: it is %s", id, now.State)}
	}
	p.stop()
	return p.feed.follow(ctx, 0, func(Progress) error { return nil })
}

func (h *host) performance(id int64) *performance {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.current[id]
}

// play begins to play an event, of which these games are done, in the
// background. The caller holds the lock.
func (h *host) play(f *field, done []tournament.Game) error {
	if h.closed {
		f.disband()
		return &RequestError{errors.New("the arena is shutting down")}
	}
	ctx, stop := context.WithCancel(h.life)
	p := &performance{feed: newFeed(f.event, done), field: f, stop: stop}
	f.playing, f.fail = context.WithCancelCause(ctx)
	h.current[f.event.ID] = p
	h.events.Go(func() {
		defer stop()
		err := h.perform(ctx, f, p.feed)
		f.fail(nil)
		f.disband()
		h.conclude(p.feed, err)
	})
	return nil
}

// close lets no more events begin and waits until none is played. The arena's
// life must be over.
func (h *host) close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.events.Wait()
}

// list is the progress of all events played since the arena was started.
func (h *host) list() []Progress {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := []Progress{}
	for _, id := range slices.Sorted(maps.Keys(h.current)) {
		now, _ := h.current[id].feed.latest()
		all = append(all, now)
	}
	return all
}

// RequestError says that what was asked of the arena can't be done; it is the
// asker's to mend.
type RequestError struct{ Err error }

func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *RequestError) Unwrap() error { return e.Err }

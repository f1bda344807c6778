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
	"time"

	"versus2048/tournament"
)

// Store keeps events and their games.
type Store interface {
	Tokens
	// CreateEvent records a new event and returns its number.
	CreateEvent(ctx context.Context, e tournament.Event) (int64, error)
	// Event finds an event by its number.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	// Journal is the journal of an event.
	Journal(event int64) Journal
}

// Journal is a tournament's journal that writes while Run runs.
type Journal interface {
	tournament.Journal
	// Run writes what is appended until ctx ends, and then the rest. An error
	// means that plies could not be kept.
	Run(ctx context.Context) error
}

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

// performance is an event being played on this arena.
type performance struct {
	feed *feed
	stop context.CancelFunc
}

// start records a new event and begins to play it.
func (h *host) start(ctx context.Context, setup Setup) (int64, error) {
	e, err := setup.Resolve(h.roster.connected, h.roster.grace)
	if err != nil {
		return 0, &RequestError{err}
	}
	// The bots first: an event that can't begin leaves no trace.
	f, err := h.engage(e)
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
	return e.ID, h.play(f, 0)
}

// resume goes on with a recorded event. To resume one that is being played, or
// is finished, changes nothing.
func (h *host) resume(ctx context.Context, id int64) error {
	e, err := h.store.Event(ctx, id)
	if err != nil {
		return &RequestError{err}
	}
	done, err := h.store.Journal(id).Finished(ctx)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if p := h.current[id]; p != nil && !p.feed.final() {
		return nil
	}
	if len(e.Format().Next(tournament.Matches(done))) == 0 {
		p := &performance{newFeed(id), func() {}}
		p.feed.Progress(len(done), len(done))
		p.feed.end(Finished, "")
		h.current[id] = p
		return nil
	}
	f, err := h.engage(e)
	if err != nil {
		return &RequestError{err}
	}
	return h.play(f, len(done))
}

// stop interrupts an event that is being played, and waits until it has
// stopped.
func (h *host) stop(ctx context.Context, id int64) error {
	p := h.performance(id)
	if p == nil {
		return &RequestError{fmt.Errorf("event %d is not being played", id)}
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

// play begins to play an event, of which so many games are done, in the
// background. The caller holds the lock.
func (h *host) play(f *field, done int) error {
	if h.closed {
		f.disband()
		return &RequestError{errors.New("the arena is shutting down")}
	}
	ctx, stop := context.WithCancel(h.life)
	p := &performance{newFeed(f.event.ID), stop}
	p.feed.now.Done, p.feed.now.Total = done, 2*len(f.event.Format().Next(nil))
	h.current[f.event.ID] = p
	h.events.Go(func() {
		defer stop()
		err := h.perform(ctx, f, p.feed)
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

// perform plays an event to its end. It returns ErrInterrupted if ctx ends, and
// another error if we fail: the journal, or the process of a started bot.
func (h *host) perform(ctx context.Context, f *field, watcher tournament.Watcher) error {
	playing, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	err := f.launch()
	if err == nil {
		f.watch(playing, fail)
		err = f.assemble(playing)
	}
	if err == nil {
		err = h.referee(playing, f, watcher)
	}
	if !errors.Is(err, tournament.ErrInterrupted) && !errors.Is(err, context.Canceled) {
		return err
	}
	if ctx.Err() != nil {
		return tournament.ErrInterrupted
	}
	return context.Cause(playing)
}

// referee plays the games that are left, into the event's journal.
func (h *host) referee(ctx context.Context, f *field, watcher tournament.Watcher) error {
	bots, err := f.bots()
	if err != nil {
		return err
	}
	return journalled(ctx, h.store.Journal(f.event.ID), func(ctx context.Context, j tournament.Journal) error {
		runner := tournament.Runner{Event: f.event, Format: f.event.Format(), Bots: bots, Journal: j, Watcher: watcher}
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

// RequestError says that what was asked of the arena can't be done; it is the
// asker's to mend.
type RequestError struct{ Err error }

func (e *RequestError) Error() string { return e.Err.Error() }

// Unwrap is the reason.
func (e *RequestError) Unwrap() error { return e.Err }

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

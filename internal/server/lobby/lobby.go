package lobby

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/tournament"
)

// Arena is the arena of a lobby. *server.Server has these methods.
type Arena interface {
	// Bots returns the connected bots, and the bots that are away from their event.
	Bots() []server.BotInfo
	// BotsChanged returns a channel that is closed when a bot comes or goes.
	BotsChanged() <-chan struct{}
	// Start starts to play a new event and returns its number.
	Start(ctx context.Context, e tournament.Event) (int64, error)
	// Stop interrupts an event.
	Stop(ctx context.Context, event int64) error
	// Follow calls show with the progress of an event until its end, or until show returns an error.
	Follow(ctx context.Context, event int64, interval time.Duration, show func(server.Progress) error) error
}

// Records are the recorded events. results.Store has this method.
type Records interface {
	// EventsNamed returns the events with a name, the oldest first.
	EventsNamed(ctx context.Context, name string) ([]tournament.Event, error)
}

// Lobby gathers the bots of a plan's event.
type Lobby struct {
	arena  Arena
	plan   Plan
	opened time.Time

	starting sync.Mutex // held by Start: one at a time

	mu       sync.Mutex
	bots     map[string]*guest // all bots that have come
	event    int64             // the number of the started event, 0 before that
	checking sync.WaitGroup
	checks   int           // the number of running checks
	next     chan struct{} // closed at the next change
}

// guest is a bot that has come.
type guest struct {
	Bot
	cancel context.CancelFunc // of the check that runs, else nil
}

// New returns the lobby of a plan. If the plan's event was started before, the lobby's state has the event's number,
// and the lobby gathers no bots: the arena itself resumes such an event after a restart. New returns an error for a
// plan that cannot be played.
func New(ctx context.Context, arena Arena, past Records, plan Plan) (*Lobby, error) {
	if err := plan.Validate(); err != nil {
		return nil, fmt.Errorf("the plan of the lobby: %w", err)
	}
	l := &Lobby{arena: arena, plan: plan, opened: time.Now(), bots: map[string]*guest{}, next: make(chan struct{})}
	events, err := past.EventsNamed(ctx, plan.Event.Name)
	if err != nil {
		return nil, fmt.Errorf("looking for the event of the lobby: %w", err)
	}
	for _, e := range events {
		if e.Seed == plan.Event.Seed {
			l.event = e.ID
		}
	}
	return l, nil
}

// Run follows the bots that come and go, and checks them, until ctx ends.
func (l *Lobby) Run(ctx context.Context) {
	defer l.checking.Wait()
	for ctx.Err() == nil {
		moved, changed := l.arena.BotsChanged(), l.Changed()
		if l.look(ctx) {
			continue
		}
		select {
		case <-moved:
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// look notes the bots that have come and gone, and begins their checks. It reports whether something has changed.
func (l *Lobby) look(ctx context.Context) (changed bool) {
	present := map[string]time.Time{}
	for _, b := range l.arena.Bots() {
		if b.Origin == roster.Connected && !b.Away {
			present[b.Name] = b.Since
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, since := range present {
		g := l.bots[name]
		if g != nil && g.Place == Here && g.Since.Equal(since) {
			continue
		}
		l.forget(g)
		l.bots[name], changed = &guest{Bot: Bot{Name: name, Place: Here, Since: since, Check: Check{Result: Waiting}}}, true
	}
	for name, g := range l.bots {
		if _, here := present[name]; !here && g.Place == Here {
			l.forget(g)
			l.bots[name], changed = &guest{Bot: Bot{Name: name, Place: Away, Since: time.Now(), Check: Check{Result: Waiting}}}, true
		}
	}
	changed = l.beginChecks(ctx) || changed
	if changed {
		l.tell()
	}
	return changed
}

// forget ends the check of a bot, if one runs. The bot may be nil. The caller holds the lock.
func (l *Lobby) forget(g *guest) {
	if g != nil && g.cancel != nil {
		g.cancel()
	}
}

// tell wakes the goroutines that wait for a change. The caller holds the lock.
func (l *Lobby) tell() {
	close(l.next)
	l.next = make(chan struct{})
}

// Changed returns a channel that is closed when the state changes. Look at the state after the call.
func (l *Lobby) Changed() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

// Check makes the lobby check a bot once more. It returns a *server.RequestError if the bot is not here, or if the
// event has begun.
func (l *Lobby) Check(bot string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.bots[bot]
	switch {
	case l.event != 0:
		return refusal("the event has begun: it is event %d, and no bot is checked any more", l.event)
	case g == nil || g.Place != Here:
		return refusal("bot %q is not here: it is checked when it connects", bot)
	case g.Check.Result != Running:
		g.Check = Check{Result: Waiting}
		l.tell()
	}
	return nil
}

// refusal returns the error of a request that cannot be done now.
func refusal(format string, args ...any) error {
	return &server.RequestError{Err: fmt.Errorf(format, args...)}
}

// Start begins the event with the bots that are here and have passed their check or, if withoutCheck is set, with all
// bots that are here. It returns the number of the event. It returns a *server.RequestError if the event was started
// before, or if fewer than two bots would play, the arena's own included.
func (l *Lobby) Start(ctx context.Context, withoutCheck bool) (int64, error) {
	l.starting.Lock()
	defer l.starting.Unlock()
	e, err := l.lineup(withoutCheck)
	if err != nil {
		return 0, err
	}
	id, err := l.arena.Start(context.WithoutCancel(ctx), e)
	if err != nil {
		return 0, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.event = id
	for _, g := range l.bots {
		l.forget(g)
	}
	l.tell()
	return id, nil
}

// lineup returns the event with the bots that would play now.
func (l *Lobby) lineup(withoutCheck bool) (tournament.Event, error) {
	now := l.State()
	if now.Event != 0 {
		return tournament.Event{}, refusal("the event has begun already: it is event %d", now.Event)
	}
	e := l.plan.Event
	e.Bots = append([]string{}, e.Bots...)
	for _, b := range now.Bots {
		if b.Place == Here && (withoutCheck || b.Check.Result == Passed) {
			e.Bots = append(e.Bots, b.Name)
		}
	}
	own := len(l.plan.Event.Bots)
	switch ready, needed := len(e.Bots)-own, fewest-own; {
	case ready >= needed:
		return fitted(e), nil
	case now.Here() >= needed:
		return e, refusal("too few bots have passed their check: %d, and the event needs %d; wait for the checks, or start without them", ready, needed)
	default:
		return e, refusal("too few bots are here: %d, and the event needs %d", now.Here(), needed)
	}
}

// errOver ends the following of an event.
var errOver = errors.New("over")

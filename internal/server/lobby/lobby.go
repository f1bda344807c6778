package lobby

import (
	"context"
	"errors"
	"time"

	"versus2048/internal/server"
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
	// Follow calls show with the progress of an event until its end.
	Follow(ctx context.Context, event int64, interval time.Duration, show func(server.Progress) error) error
}

// Records are the recorded events. results.Store has this method.
type Records interface {
	// EventsNamed returns the events with a name, the oldest first.
	EventsNamed(ctx context.Context, name string) ([]tournament.Event, error)
}

// Lobby gathers the bots of a plan's event.
type Lobby struct {
	arena Arena
	plan  Plan
}

// New returns the lobby of a plan. If the plan's event was started before, the lobby says so: the arena itself resumes
// such an event after a restart. It returns an error for a plan that cannot be played.
func New(ctx context.Context, arena Arena, past Records, plan Plan) (*Lobby, error) {
	return &Lobby{arena: arena, plan: plan}, plan.Validate()
}

// Run follows the bots that come and go, and checks them, until ctx ends.
func (l *Lobby) Run(ctx context.Context) {}

// State returns the present state.
func (l *Lobby) State() State { return State{Plan: l.plan} }

// Changed returns a channel that is closed when the state changes. Look at the state after the call.
func (l *Lobby) Changed() <-chan struct{} { return nil }

// Start begins the event with the bots that are here and have passed their check (withoutCheck: all that are here), and
// returns its number. It returns a *server.RequestError if it was started before, or if there are fewer than two bots.
func (l *Lobby) Start(ctx context.Context, withoutCheck bool) (int64, error) {
	return 0, errors.New("not yet")
}

// Check checks a bot that is here again. It returns a *server.RequestError if that bot is not here.
func (l *Lobby) Check(bot string) error { return errors.New("not yet") }

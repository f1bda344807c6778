package server

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"versus2048/tournament"
	"versus2048/tournament/agenda"
	"versus2048/tournament/report"
)

// Store keeps events, their games, and tokens.
type Store interface {
	Tokens
	// CreateEvent records a new event and returns its number.
	CreateEvent(ctx context.Context, e tournament.Event) (int64, error)
	// Event returns the event with this number, or an error if there is none.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	// Extend raises the number of matches of each pairing of an event; it never lowers it.
	Extend(ctx context.Context, event int64, matches int) error
	// Voidable returns nil if Void could void a match of an event.
	Voidable(ctx context.Context, event int64, match int) error
	// Void takes a match that was lost by a fault out of an event that is not being played, so that the match is played
	// again.
	Void(ctx context.Context, event int64, match int, at time.Time) error
	// OwnedNames returns the names of bots that have a token that is not revoked.
	OwnedNames(ctx context.Context) ([]string, error)
	// Writable returns nil if something can be recorded, and otherwise why not. It returns by the end of ctx.
	Writable(ctx context.Context) error
	// Journal returns the journal of an event.
	Journal(event int64) Journal
}

// Records are the recorded events, for requests that only look. results.Store has these methods.
type Records interface {
	// Event returns the event with this number, or an error if there is none.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	// Journal returns the journal of an event.
	Journal(event int64) Journal
	// Agenda returns the items of the events that an arena is to play by itself.
	Agenda(ctx context.Context) ([]agenda.Item, error)
}

// ownRecords are the records of an arena that has only one store: visitors and the arena share its connections.
type ownRecords struct {
	Store
	agenda Agenda
}

// Agenda returns the arena's agenda.
func (o ownRecords) Agenda(ctx context.Context) ([]agenda.Item, error) { return o.agenda.Agenda(ctx) }

// Journal is a tournament's journal that writes while Run runs.
type Journal interface {
	tournament.Journal
	// Collect collects the event's decided matches, and if timed the times of the games that count.
	Collect(ctx context.Context, timed bool) (*report.Collector, error)
	// Reopen takes the games that a worker of a farm has played, and the given ones, back to their start. If later
	// matches depend on them (adapts), it removes the games of those: other bots may meet in them now. It returns the
	// number of games taken back. The event must not be being played.
	Reopen(ctx context.Context, worker string, games []int64, adapts bool) (int, error)
	// Workers returns the workers of a farm that have played games of the event.
	Workers(ctx context.Context) ([]string, error)
	// Run writes the appended plies until ctx ends, then writes the rest. It returns an error if it could not write all
	// plies.
	Run(ctx context.Context) error
}

// Note records nothing.
func (noAgenda) Note(_ context.Context, item agenda.Item) (agenda.Item, error) { return item, nil }

// Drop does nothing.
func (noAgenda) Drop(context.Context, int64) error { return nil }

// Agenda returns no items.
func (noAgenda) Agenda(context.Context) ([]agenda.Item, error) { return nil, nil }

// An event without a record (see tournament.Settings.Unrecorded) has a number below 0, and so have its games. Nothing
// about it is written, so it is in no list, on no page and in no rating, and is lost when the arena ends.

// noJournal is the journal of an event without a record: it only numbers the games.
type noJournal struct{ last *atomic.Int64 }

// errNoRecord means that a caller needs the record of an event that has none.
var errNoRecord = errors.New("the event has no record")

// Open begins a game.
func (n noJournal) Open(_ context.Context, g tournament.Game) (tournament.Game, error) {
	g.ID = -n.last.Add(1)
	return g, nil
}

// Append does nothing.
func (noJournal) Append(int64, tournament.Ply) {}

// Finish does nothing.
func (noJournal) Finish(context.Context, tournament.Game) error { return nil }

// Finished finds no game.
func (noJournal) Finished(context.Context, func(tournament.Result) error) error { return nil }

// Begun finds no match.
func (noJournal) Begun(context.Context, func(tournament.Pairing) error) error { return nil }

// SetMemberships does nothing.
func (noJournal) SetMemberships(context.Context, tournament.Entry, []tournament.Membership) error {
	return nil
}

// Identify does nothing.
func (noJournal) Identify(context.Context, tournament.Identity) error { return nil }

// Collect returns an error.
func (noJournal) Collect(context.Context, bool) (*report.Collector, error) { return nil, errNoRecord }

// Reopen returns an error.
func (noJournal) Reopen(context.Context, string, []int64, bool) (int, error) { return 0, errNoRecord }

// Workers returns none.
func (noJournal) Workers(context.Context) ([]string, error) { return nil, nil }

// Run waits for the end of the event.
func (noJournal) Run(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

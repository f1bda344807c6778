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

// Store keeps events and their games. results.Store has these methods.
type Store interface {
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
	// Writable returns nil if something can be recorded, and otherwise why not. It returns by the end of ctx.
	Writable(ctx context.Context) error
	// Record calls play with the journal of an event, and writes the journal until play returns. If the journal cannot
	// be written, the context of play ends, and Record returns why.
	Record(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error
	// Results calls each with every finished game of an event, the oldest first. It stops at the first error of each
	// and returns it.
	Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error
	// Collect collects an event's decided matches, and if timed the times of the games that count.
	Collect(ctx context.Context, e tournament.Event, timed bool) (*report.Collector, error)
	// Reopen takes the games of an event that a worker of a farm has played, and the given ones, back to their start. If
	// later matches depend on them (adapts), it removes the games of those: other bots may meet in them now. It returns
	// the number of games taken back. The event must not be being played.
	Reopen(ctx context.Context, event int64, worker string, games []int64, adapts bool) (int, error)
	// Workers returns the workers of a farm that have played games of an event.
	Workers(ctx context.Context, event int64) ([]string, error)
}

// Records are the recorded events, for requests that only look. results.Store has these methods.
type Records interface {
	// Event, Results and Collect do the same as in a Store.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error
	Collect(ctx context.Context, e tournament.Event, timed bool) (*report.Collector, error)
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

// TakesPart does nothing.
func (noJournal) TakesPart(int64, tournament.Origin) {}

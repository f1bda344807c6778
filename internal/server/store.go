package server

import (
	"cmp"
	"context"
	"errors"
	"sync/atomic"
	"time"

	"versus2048/internal/server/rounds"
	"versus2048/players"
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

// Tokens looks up the tokens of bots and operators.
type Tokens interface {
	// HasToken reports whether that name has a token that is not revoked.
	HasToken(ctx context.Context, role Role, name string) (bool, error)
	// ValidToken reports whether the token belongs to that name and is not revoked.
	// The name "" means any name.
	ValidToken(ctx context.Context, role Role, name, token string) (bool, error)
}

// Role is the permission that a token gives.
type Role string

// The roles.
const (
	BotRole      Role = "bot"      // to play under one name
	OperatorRole Role = "operator" // to run events from another machine
)

// Agenda keeps the events that an arena is to play by itself, so that a restart forgets nothing. results.Store has
// these methods.
type Agenda interface {
	// Plan records a new event with its item, and other items of recorded events. It returns the item with the numbers
	// of the event, its place and its series.
	Plan(ctx context.Context, e tournament.Event, item agenda.Item, others ...agenda.Item) (agenda.Item, error)
	// Note records the item of a recorded event in place of an earlier one. Without a place it gets the last one.
	Note(ctx context.Context, item agenda.Item) (agenda.Item, error)
	// Drop takes an event off the agenda, if it is there.
	Drop(ctx context.Context, event int64) error
	// Agenda returns all items, by their places.
	Agenda(ctx context.Context) ([]agenda.Item, error)
}

// noAgenda is the agenda of an arena that plays nothing by itself.
type noAgenda struct{ store Store }

// Plan records the event alone. The item that it returns has no event, so that nothing about it is recorded later.
func (n noAgenda) Plan(ctx context.Context, e tournament.Event, _ agenda.Item, _ ...agenda.Item) (agenda.Item, error) {
	id, err := n.store.CreateEvent(ctx, e)
	return agenda.Item{Event: id}, err
}

// Note records nothing.
func (noAgenda) Note(_ context.Context, item agenda.Item) (agenda.Item, error) { return item, nil }

// Drop does nothing.
func (noAgenda) Drop(context.Context, int64) error { return nil }

// Agenda returns no items.
func (noAgenda) Agenda(context.Context) ([]agenda.Item, error) { return nil, nil }

// An event without a record (see tournament.Settings.Unrecorded) has a number below 0, and so have its games. Nothing
// about it is written, so it is in no list, on no page and in no rating, and is lost when the arena ends.

// plan records a new event that begins at once, unless it is to have no record.
func (h *host) plan(ctx context.Context, e tournament.Event, on Agenda) (agenda.Item, error) {
	if e.Settings.Unrecorded {
		return agenda.Item{Event: -h.unrecorded.Add(1)}, nil
	}
	return on.Plan(ctx, e, agenda.Item{Wanted: agenda.Running})
}

// journal returns the journal of an event.
func (h *host) journal(event int64) Journal {
	if event < 0 {
		return noJournal{&h.unrecorded}
	}
	return h.store.Journal(event)
}

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

// Farm plays matches on other machines, and does other work there.
type Farm interface {
	// Executor returns a new executor, for one event.
	Executor() Executor
	// Takes reports whether workers can make the bots.
	Takes(...tournament.Entry) bool
	rounds.Farm
	// Workers returns, by name, the workers that have sent a message lately, and the workers that are set aside.
	Workers() []Worker
}

// Worker is a process that plays games for an arena's farm.
type Worker struct {
	Name    string  `json:"name"`
	Host    string  `json:"host,omitempty"`    // its machine
	Version string  `json:"version,omitempty"` // of its program
	Cores   int     `json:"cores,omitempty"`   // processors that it may use
	Games   int     `json:"games,omitempty"`   // matches that it plays at once
	Busy    int     `json:"busy,omitempty"`    // matches that it plays now
	Played  int     `json:"played,omitempty"`  // games that it has played since it began
	Faults  int     `json:"faults,omitempty"`  // matches that it could not play
	Speed   float64 `json:"speed,omitempty"`   // playouts a second of one core
	Late    Millis  `json:"late_ms,omitempty"` // the mean delay of its timers over half a minute
	// Overloaded reports that its timers are so late that it plays fewer games at once.
	Overloaded bool   `json:"overloaded,omitempty"`
	Exec       bool   `json:"exec,omitempty"`    // it also runs programs
	Aside      string `json:"aside,omitempty"`   // why it gets no more games
	Trouble    string `json:"trouble,omitempty"` // why it cannot have the files of bots now
}

// Executor is the part of a Farm that plays the matches of one event.
type Executor interface {
	tournament.Elsewhere
	// Met notes workers that have played games of the event before, for another executor. It returns a
	// *tournament.DistrustError if some of them are set aside.
	Met(workers ...string) error
	// Unchecked returns why matches with a bot of an event cannot be checked, "" if they can.
	Unchecked(e tournament.Event, entry tournament.Entry) string
	// Close ends the executor: it plays no more matches.
	Close()
}

// checkRound returns why a round cannot be done, nil if it can. The paths of its bot become paths on this machine.
func (h *host) checkRound(r *rounds.Round) error {
	if h.farm == nil {
		return errors.New("this arena has no workers: start it with arena serve --farm")
	}
	r.Bot = players.InFolder(r.Bot, h.allowed.RelativeTo())
	if err := cmp.Or(r.Validate(), h.allowed.Check(r.Bot)); err != nil {
		return err
	}
	return h.farm.Validate(*r)
}

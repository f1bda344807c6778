package arena

import (
	"context"

	"versus2048/tournament"
	"versus2048/tournament/report"
)

// Store keeps events, their games, and tokens.
type Store interface {
	Tokens
	// CreateEvent records a new event and returns its number.
	CreateEvent(ctx context.Context, e tournament.Event) (int64, error)
	// Event returns the event with this number, or an error if there is none.
	Event(ctx context.Context, id int64) (tournament.Event, error)
	// OwnedNames returns the names of bots that have a token that is not revoked.
	OwnedNames(ctx context.Context) ([]string, error)
	// Journal returns the journal of an event.
	Journal(event int64) Journal
}

// Journal is a tournament's journal that writes while Run runs.
type Journal interface {
	tournament.Journal
	// Collect collects the event's decided matches, and if timed the times of those that count.
	Collect(ctx context.Context, timed bool) (*report.Collector, error)
	// Run writes what is appended until ctx ends, then writes the rest. It returns
	// an error if it could not write all plies.
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

// Role says what a token permits.
type Role string

// The roles.
const (
	BotRole      Role = "bot"      // to play under one name
	OperatorRole Role = "operator" // to run events from another machine
)

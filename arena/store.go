package arena

import (
	"context"

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

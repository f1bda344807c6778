package tournament

import "context"

// Journal keeps an event's games while they are played.
type Journal interface {
	// Open begins the game, or finds it again: it returns g with its ID and,
	// where the event was interrupted, the plies that were kept.
	Open(ctx context.Context, g Game) (Game, error)
	// Append notes a ply of an open game without waiting for the disk. It is on
	// disk at most 100 ms later.
	Append(game int64, ply Ply)
	// Finish records the finished game; when it returns, the game is on disk.
	Finish(ctx context.Context, g Game) error
	// Finished lists the event's finished games.
	Finished(ctx context.Context) ([]Game, error)
	// Attend records that an entry takes part in the event, or did, for these
	// stays; the entry itself is added unless it is there.
	Attend(ctx context.Context, e Entry, stays []Stay) error
	// Identify notes what a participant of the event says of itself.
	Identify(ctx context.Context, id Identity) error
}

package tournament

import "context"

// Journal stores an event's games while they are played.
type Journal interface {
	// Open begins the game, or finds it again. It returns g with its ID and, if the event was
	// interrupted, with the stored plies.
	Open(ctx context.Context, g Game) (Game, error)
	// Append stores a ply of an open game without waiting for the disk. The ply is on disk at most
	// 100 ms later.
	Append(game int64, ply Ply)
	// TakesPart notes that a worker of a farm plays an open game from now on, so that the game can be
	// taken back. The note is on disk with the next plies.
	TakesPart(game int64, o Origin)
	// Finish records the finished game. When it returns nil, the game is on disk.
	Finish(ctx context.Context, g Game) error
	// Finished calls each with every finished game of the event, the oldest first. It stops at the
	// first error of each and returns it.
	Finished(ctx context.Context, each func(Result) error) error
	// Begun calls each with every match of the event that has an unfinished game with plies. It
	// stops at the first error of each and returns it.
	Begun(ctx context.Context, each func(Pairing) error) error
	// SetMemberships records the memberships of an entry. It adds the entry itself if it is new.
	SetMemberships(ctx context.Context, e Entry, all []Membership) error
	// Identify records a participant's description of itself.
	Identify(ctx context.Context, id Identity) error
}

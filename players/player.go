package players

import (
	"context"
	"errors"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Player chooses moves in one game. A Player is used by one goroutine at a
// time.
type Player interface {
	// Choose returns a legal move in p, in which the game is not over. When ctx
	// ends it returns at once with the best move so far; its deadline is the
	// clock. An error means that the player can't go on: ErrGone if nobody
	// answers for it any more, ErrResigned if it gives the game up, a
	// *rules.NotationError if its answer was no move, the context's error if the
	// answer did not come in time.
	Choose(ctx context.Context, p rules.Position) (rules.Move, error)
}

// Searcher is a Player that can report the search behind its last move.
type Searcher interface {
	Player
	// LastSearch is the report on the last Choose, nil if that took no search,
	// as where only one move is legal.
	LastSearch() *record.SearchReport
}

// ErrGone says that a player has left the game and will not be back.
var ErrGone = errors.New("the player is gone")

// ErrResigned says that a player gives the game up. Where the event takes no
// resignations it counts as having broken down.
var ErrResigned = errors.New("the player resigns")

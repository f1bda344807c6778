package players

import (
	"context"
	"errors"
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Player chooses moves in one game. A Player is used by one goroutine at a time.
type Player interface {
	// Choose returns a legal move in p. The game must not be over. When ctx ends, Choose returns the best move so far
	// at once. The deadline of ctx is the end of the time for the move. An error means that the player cannot continue.
	// It is ErrGone if the player has left, ErrResigned if the player gives up, a *rules.NotationError if the answer
	// was not a move, or the context's error if the answer came too late.
	Choose(ctx context.Context, p rules.Position) (rules.Move, error)
}

// Searcher is a Player that can report the search behind its last move.
type Searcher interface {
	Player
	// LastSearch returns the report on the last Choose, or nil if that move needed no search, for example
	// because only one move was legal.
	LastSearch() *record.SearchReport
}

// Reply is a bot's answer to the request for a move, with the data about the answer that a game records.
type Reply struct {
	Move   rules.Move           // the chosen move, unless Err is set
	Err    error                // an error as Player.Choose returns it
	Search *record.SearchReport // the report on the search behind Move; nil if the bot reports none
	// Lag is the network's part of the time that the bot took. RoundTrip is the last measured time from a message to
	// the bot until its answer. Both are 0 if they are unknown.
	Lag, RoundTrip time.Duration
	Complaint      string // the bot's mistake before its answer, such as an answer for another ply; usually ""
}

// ErrGone is returned when a player has left the game and will not be back.
var ErrGone = errors.New("the player is gone")

// ErrResigned is returned when a player gives up the game. An event that does not accept resignations
// treats it as a failure.
var ErrResigned = errors.New("the player resigns")

// WithMargin returns p with deadlines that are earlier by margin, so that its answers have time to travel. A
// margin is at most half of the time left. It has no effect without a deadline. The result passes on the reports
// of p on its searches.
func WithMargin(p Player, margin time.Duration) Searcher { return earlyPlayer{p, margin} }

// earlyPlayer gives its player an earlier deadline.
type earlyPlayer struct {
	player Player
	margin time.Duration
}

// Choose implements Player.
func (e earlyPlayer) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	if deadline, ok := ctx.Deadline(); ok {
		margin := max(0, min(e.margin, time.Until(deadline)/2))
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-margin))
		defer cancel()
	}
	return e.player.Choose(ctx, p)
}

// LastSearch implements Searcher.
func (e earlyPlayer) LastSearch() *record.SearchReport { return lastSearch(e.player) }

// lastSearch returns the report of a player on its last search, or nil if the player reports none.
func lastSearch(p Player) *record.SearchReport {
	if s, ok := p.(Searcher); ok {
		return s.LastSearch()
	}
	return nil
}

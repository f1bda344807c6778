package tournament

import (
	"time"

	"versus2048/rules"
	"versus2048/rules/record"
)

// Pairing is a match that is to be played: two games in which First and Second
// swap roles.
type Pairing struct {
	Match int // its number in the event, from 1; a knockout leaves numbers out
	// Round is that of the event, from 1; each match of a ladder or an sprt is a
	// round of its own.
	Round int
	// Nth is the number of this match among those of its two bots in the event,
	// from 1. First and Second swap between matches 2k-1 and 2k, so that these two
	// can share an opening.
	Nth           int
	First, Second string
}

// Game is one game of a match, over or not.
type Game struct {
	ID       int64 // the journal's number for it, the same after a resume
	Pairing        // the match it belongs to
	Leg      int   // 1: First defends; 2: Second defends
	Record   record.Record
	Started  time.Time
	Finished time.Time // zero while it is in progress
}

// Roles are the names of who attacks and who defends in a leg of the match.
// Under rules where chance places the tiles the attacker only looks on.
func (p Pairing) Roles(leg int) (attacker, defender string) {
	if leg == 1 {
		return p.Second, p.First
	}
	return p.First, p.Second
}

// Ply is one played ply with its times.
type Ply struct {
	Move rules.Move
	Time time.Duration // on the referee's clock, without what that gives back for the network
	Lag  time.Duration // what the network took of the wait for the move, as far as known
	// Search is the player's report on its search, nil without one or where the
	// event does not record them.
	Search *record.SearchReport
}

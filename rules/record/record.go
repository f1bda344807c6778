package record

import (
	"fmt"
	"time"

	"versus2048/rules"
)

// Record is one game, over or not: its start, its moves and who played them.
// Everything else about the game is derived from these.
type Record struct {
	Event string // the event's name, "" for a game outside one
	Game  string // the game's number in its database, "" if it has none
	Date  string // the day it began, "2026-11-21", "" if unknown

	Attacker, Defender         string // the players' names
	AttackerSeed, DefenderSeed uint64 // what their random choices came from, below 2^53

	Start rules.Position
	Moves []rules.Move
	Times []time.Duration // of each move, on the referee's clock; nil if not recorded
	Lags  []time.Duration // the part of each time that the network took; nil if not recorded
	// Searches are what the players reported of the searches behind their moves,
	// nil for a move without a report; all nil if there is none. The text form
	// leaves them out.
	Searches []*SearchReport

	Ending Ending
	Detail string // a sentence on the ending, such as the illegal move; may be ""
}

// Ending says why a game ended.
type Ending string

// The endings.
const (
	Unfinished  Ending = "unfinished"
	Mate        Ending = "mate"         // the defender has no legal slide
	IllegalMove Ending = "illegal-move" // the side to move answered with one
	Time        Ending = "time"         // the side to move did not answer in time
	Disconnect  Ending = "disconnect"   // the side to move was gone too long, or broke down
	Resigned    Ending = "resigned"     // the side to move gave the game up
	MaxTurns    Ending = "max-turns"    // adjudicated: so many turns are played
	MaxTile     Ending = "max-tile"     // adjudicated: a tile so large is made
	Decided     Ending = "decided"      // adjudicated: the rest can't change who wins the match
)

// Endings lists all endings.
func Endings() []Ending {
	return []Ending{Unfinished, Mate, IllegalMove, Time, Disconnect, Resigned, MaxTurns, MaxTile, Decided}
}

// ParseEnding reads an ending as it is written.
func ParseEnding(text string) (Ending, error) {
	for _, e := range Endings() {
		if string(e) == text {
			return e, nil
		}
	}
	return "", fmt.Errorf("ending %q: want one of %v", text, Endings())
}

// Fault tells whether the game ended because a side failed: the side to move.
func (e Ending) Fault() bool { return e == IllegalMove || e == Time || e == Disconnect }

// Adjudicated tells whether an event's rule ended the game, at nobody's fault.
func (e Ending) Adjudicated() bool { return e == MaxTurns || e == MaxTile || e == Decided }

// Replay plays all moves from the start and returns the last position. It
// returns an *IllegalMoveError for an illegal move, and another error if the
// ending can't be that of the last position.
func (r *Record) Replay() (rules.Position, error) {
	p := r.Start
	for _, m := range r.Moves {
		var err error
		if p, err = p.Play(m); err != nil {
			return p, err
		}
	}
	return p, r.checkEnding(p)
}

func (r *Record) checkEnding(last rules.Position) error {
	switch {
	case r.Ending == Mate && !last.Over():
		return fmt.Errorf("ending %q at ply %d (%v): the defender is not mated", r.Ending, last.Ply(), last)
	case last.Over() && r.Ending != Mate && r.Ending != Unfinished:
		return fmt.Errorf("ending %q at ply %d (%v): the defender is mated, want %q", r.Ending, last.Ply(), last, Mate)
	}
	return nil
}

// Turns is the number of turns: a placement with the slide that answers it, or
// one of the two alone at the game's beginning or end.
func (r *Record) Turns() int { return Turns(r.Start, len(r.Moves)) }

// Turns is the number of turns that so many plies from start are.
func Turns(start rules.Position, plies int) int {
	if plies > 0 && start.SideToMove() == rules.Defender {
		plies++
	}
	return (plies + 1) / 2
}

// Winner is the side that a fault of the other one, or its resignation, made
// the winner of this game. It is not ok elsewhere: then only the match's two
// scores have a winner.
func (r *Record) Winner() (side rules.Side, ok bool) { return Winner(r.Start, len(r.Moves), r.Ending) }

// Winner is that of a game which ended so after so many plies from start.
func Winner(start rules.Position, plies int, e Ending) (side rules.Side, ok bool) {
	if !e.Fault() && e != Resigned {
		return 0, false
	}
	toMove := start.SideToMove()
	if plies%2 == 1 {
		toMove = toMove.Other()
	}
	return toMove.Other(), true
}

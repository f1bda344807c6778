package record

import (
	"fmt"
	"slices"
	"time"

	"versus2048/rules"
)

// Record is one game, finished or not. Its score and its largest tile follow from its start and its moves.
type Record struct {
	Event string // the event's name, "" for a game that belongs to no event
	Game  string // the game's number in its database, "" if it has none
	Date  string // the day when the game began, "2026-11-21", "" if unknown

	Attacker, Defender         string // the players' names
	AttackerSeed, DefenderSeed uint64 // the seeds of their random choices, below 2^53

	Start rules.Position
	Moves []rules.Move
	Times []time.Duration // of each move, by the referee's clock; nil if not recorded
	Lags  []time.Duration // the network's share of each time; nil if not recorded
	// Searches has the player's report on the search behind each move, nil for a move without one. The slice is
	// nil if there are no reports at all. The text form leaves reports out.
	Searches []*SearchReport

	// Pauses lists the moves during which the clock stood still, in order. The text form leaves them out.
	Pauses []Pause

	Ending Ending
	Detail string // a sentence about the ending, such as the illegal move; may be ""
}

// Pause is the time during one move when the clock stood still and the bot was not charged.
type Pause struct {
	Ply   int           // the index of the move; len(Moves) if the game ended before the move was made
	Stall time.Duration // the part while the arena itself was stalled
	Away  time.Duration // the part while the bot was disconnected
}

// Replay plays all moves from the start and returns the last position. It returns a *rules.IllegalMoveError for
// an illegal move, and another error if the game's ending is impossible in the last position.
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

// Turns returns the number of turns. A turn is a placement and the slide that
// answers it, or just one of them at the beginning or the end of the game.
func (r *Record) Turns() int { return Turns(r.Start, len(r.Moves)) }

// Winner returns the side that won because the other one committed a fault or resigned. ok is false for all
// other endings: such a game alone has no winner, since the scores of both games of a match decide.
func (r *Record) Winner() (side rules.Side, ok bool) { return Winner(r.Start, len(r.Moves), r.Ending) }

// AddSearch adds the report on the search behind the last move, nil if there is none.
func (r *Record) AddSearch(s *SearchReport) {
	if s == nil && r.Searches == nil {
		return
	}
	for len(r.Searches) < len(r.Moves) {
		r.Searches = append(r.Searches, nil)
	}
	r.Searches[len(r.Moves)-1] = s
}

// NewPause returns the pause of the move with index ply. The times stall and away are those in Pause. ok is
// false if both are below a microsecond.
func NewPause(ply int, stall, away time.Duration) (p Pause, ok bool) {
	return Pause{ply, stall, away}, stall >= time.Microsecond || away >= time.Microsecond
}

// AddPause records the pause of the next move. It records nothing if both times are below a microsecond.
func (r *Record) AddPause(stall, away time.Duration) {
	if p, ok := NewPause(len(r.Moves), stall, away); ok {
		r.Pauses = append(r.Pauses, p)
	}
}

// CheckPauses returns an error if a pause has a negative time or a ply out of range, if the pauses are not in
// the order of their plies, or if two have the same ply.
func (r *Record) CheckPauses() error {
	last := -1
	for _, p := range r.Pauses {
		switch {
		case p.Ply < 0 || p.Ply > len(r.Moves):
			return fmt.Errorf("pauses: ply %d of %d moves: want 0 to %d", p.Ply, len(r.Moves), len(r.Moves))
		case p.Ply <= last:
			return fmt.Errorf("pauses: ply %d after ply %d: want each ply once, in order", p.Ply, last)
		case p.Stall < 0:
			return fmt.Errorf("pauses: ply %d has a stall of %v: want 0 or more", p.Ply, p.Stall)
		case p.Away < 0:
			return fmt.Errorf("pauses: ply %d has a bot away for %v: want 0 or more", p.Ply, p.Away)
		}
		last = p.Ply
	}
	return nil
}

// CheckSearches returns an error if Searches is not nil and does not have one entry for
// each move. It also returns an error if a report fails its Check. All moves must be legal.
func (r *Record) CheckSearches() error {
	if r.Searches != nil && len(r.Searches) != len(r.Moves) {
		return fmt.Errorf("searches: %d entries for %d moves: want one per move", len(r.Searches), len(r.Moves))
	}
	p := r.Start
	for i, s := range r.Searches {
		if s != nil {
			if err := s.Check(p); err != nil {
				return fmt.Errorf("searches[%d]: %w", i, err)
			}
		}
		p = p.Next(r.Moves[i])
	}
	return nil
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

// Ending tells how a game ended.
type Ending string

// The endings.
const (
	Unfinished  Ending = "unfinished"
	Mate        Ending = "mate"         // the defender has no legal slide
	IllegalMove Ending = "illegal-move" // the side to move gave an illegal move
	Time        Ending = "time"         // the side to move did not answer in time
	Disconnect  Ending = "disconnect"   // the side to move was disconnected too long, or failed
	Resigned    Ending = "resigned"     // the side to move resigned
	MaxTurns    Ending = "max-turns"    // adjudicated: the turn limit was reached
	MaxTile     Ending = "max-tile"     // adjudicated: the tile limit was reached
	Decided     Ending = "decided"      // adjudicated: the rest cannot change who wins the match
)

// Endings lists all endings.
func Endings() []Ending {
	return []Ending{Unfinished, Mate, IllegalMove, Time, Disconnect, Resigned, MaxTurns, MaxTile, Decided}
}

// ParseEnding reads an ending, such as "max-turns". It returns an error for any other text.
func ParseEnding(text string) (Ending, error) {
	if e := Ending(text); slices.Contains(Endings(), e) {
		return e, nil
	}
	return "", fmt.Errorf("ending %q: want one of %v", text, Endings())
}

// Fault reports whether the game ended with a fault of the side to move.
func (e Ending) Fault() bool { return e == IllegalMove || e == Time || e == Disconnect }

// Adjudicated reports whether a rule of the event ended the game, without a fault.
func (e Ending) Adjudicated() bool { return e == MaxTurns || e == MaxTile || e == Decided }

// Turns returns the number of turns in the given number of plies from start.
func Turns(start rules.Position, plies int) int {
	if plies > 0 && start.SideToMove() == rules.Defender {
		plies++
	}
	return (plies + 1) / 2
}

// Winner is like Record.Winner, for a game that ended with e after the given number of plies from start.
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

// A turn, that is a placement and the slide that answers it, packs into one byte:
// four bits for the cell, one for the tile and two for the slide. The top bit marks
// half a turn: a placement at the end of a game, or a slide at its beginning.
const halfTurn = 0x80

// PackTurns packs the moves of a game, which must alternate between the sides,
// into one byte per turn. A game that begins with a slide has a half turn first.
func PackTurns(moves []rules.Move) []byte {
	packed := make([]byte, 0, len(moves)/2+2)
	if len(moves) > 0 && moves[0].IsSlide() {
		packed = append(packed, halfTurn|byte(moves[0]-rules.North)<<5)
		moves = moves[1:]
	}
	for len(moves) >= 2 {
		packed = append(packed, byte(moves[0])|byte(moves[1]-rules.North)<<5)
		moves = moves[2:]
	}
	if len(moves) == 1 {
		packed = append(packed, halfTurn|byte(moves[0]))
	}
	return packed
}

// UnpackTurns undoes PackTurns. The argument first is the side that made the first move of the game. If that is
// the defender, the first turn must be a slide alone. The last turn may be a placement alone. UnpackTurns returns
// an error if any other turn is half a turn.
func UnpackTurns(packed []byte, first rules.Side) ([]rules.Move, error) {
	moves := make([]rules.Move, 0, 2*len(packed))
	for i, b := range packed {
		placement, slide := rules.Move(b&0x1F), rules.North+rules.Move(b>>5&3)
		switch {
		case i == 0 && first == rules.Defender:
			if b&halfTurn == 0 {
				return nil, fmt.Errorf("packed turn 1 is %#02x: want a slide alone, the defender moves first", b)
			}
			moves = append(moves, slide)
		case b&halfTurn == 0:
			moves = append(moves, placement, slide)
		case i == len(packed)-1:
			moves = append(moves, placement)
		default:
			return nil, fmt.Errorf("packed turn %d of %d is %#02x: only the last turn may lack its slide", i+1, len(packed), b)
		}
	}
	return moves, nil
}

package record

import (
	"fmt"
	"math"
	"time"

	"versus2048/rules"
)

// SearchReport is what a player says of the search behind one of its moves.
// It is the player's own word: nothing in the game depends on it. What the
// player does not know is left at zero.
type SearchReport struct {
	Playouts int64         // random games played
	Nodes    int64         // positions held in the tree, or visited where no tree is kept
	Expanded []int64       // by depth in plies below the root, from 0: positions that were given children
	Time     time.Duration // on the player's own clock
	// Variation is the principal variation: the moves that both sides were
	// expected to play, the chosen one first.
	Variation []rules.Move
	Moves     []RootMove // what was found of the root's moves, the best first
}

// RootMove is what a search found of one move at its root.
type RootMove struct {
	Move   rules.Move
	Value  float64 // what the search expects, in points of the final score unless the player says otherwise
	Visits int64   // playouts or positions spent on it
}

// The bounds of a report. Every root move of every position fits.
const (
	MaxSearchDepth = 64  // entries of Expanded, and of Variation
	MaxRootMoves   = 32  // entries of Moves
	MaxValue       = 1e9 // of a root move, from 0 in both directions
)

// Check returns an error that says what keeps s from being the report of a
// search in p: a number out of range, a list that is too long, a move that is
// not legal there or listed twice.
func (s *SearchReport) Check(p rules.Position) error {
	if s.Playouts < 0 || s.Nodes < 0 || s.Time < 0 {
		return fmt.Errorf("search: playouts %d, nodes %d, time %v: want 0 or more", s.Playouts, s.Nodes, s.Time)
	}
	if n := max(len(s.Expanded), len(s.Variation)); n > MaxSearchDepth {
		return fmt.Errorf("search: a list of %d plies: want at most %d", n, MaxSearchDepth)
	}
	for depth, n := range s.Expanded {
		if n < 0 {
			return fmt.Errorf("search: %d positions expanded at depth %d: want 0 or more", n, depth)
		}
	}
	if err := s.checkMoves(p); err != nil {
		return err
	}
	for i, m := range s.Variation {
		var err error
		if p, err = p.Play(m); err != nil {
			return fmt.Errorf("search: move %d of the principal variation: %w", i+1, err)
		}
	}
	return nil
}

func (s *SearchReport) checkMoves(p rules.Position) error {
	if len(s.Moves) > MaxRootMoves {
		return fmt.Errorf("search: %d root moves: want at most %d", len(s.Moves), MaxRootMoves)
	}
	listed := map[rules.Move]bool{}
	for _, m := range s.Moves {
		switch _, err := p.Play(m.Move); {
		case err != nil:
			return fmt.Errorf("search: root move: %w", err)
		case listed[m.Move]:
			return fmt.Errorf("search: root move %v is listed twice", m.Move)
		case !(math.Abs(m.Value) <= MaxValue): // nor is it so for NaN
			return fmt.Errorf("search: root move %v has the value %v: want %g to %g", m.Move, m.Value, -MaxValue, MaxValue)
		case m.Visits < 0:
			return fmt.Errorf("search: root move %v has %d visits: want 0 or more", m.Move, m.Visits)
		}
		listed[m.Move] = true
	}
	return nil
}

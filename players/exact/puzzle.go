package exact

import (
	"fmt"
	"math"

	"versus2048/rules"
)

// MostPuzzleDepth is the largest depth of a puzzle, in slides.
const MostPuzzleDepth = 5

// Puzzle is a position in which exactly one move keeps the score under perfect play.
type Puzzle struct {
	Number   int // in its book, from 1
	Position rules.Position
	// Depth is the number of slides that a bot must look ahead to find the best move, 0 if MostPuzzleDepth slides are
	// not enough. The bot is evminimax or, against chance, expectimax.
	Depth int
	// Scores are the final scores under perfect play after each legal move, in the order of AppendMoves. Under solo they
	// are expectations, to the hundredth of a point.
	Scores []float64
}

// PuzzleAnswer is a legal move with its value.
type PuzzleAnswer struct {
	Move  rules.Move `json:"move"`
	Score float64    `json:"score"` // the final score under perfect play; under solo an expectation
	Loss  float64    `json:"loss"`  // points that the side to move loses against the best move; 0 for the best move
}

// Answers returns the legal moves with their values, in the order of AppendMoves.
func (p *Puzzle) Answers() []PuzzleAnswer {
	best := p.score()
	var all []PuzzleAnswer
	for i, m := range p.Position.AppendMoves(nil) {
		all = append(all, PuzzleAnswer{m, p.Scores[i], math.Round(100*math.Abs(p.Scores[i]-best)) / 100})
	}
	return all
}

// Best returns the only move that keeps the score.
func (p *Puzzle) Best() rules.Move {
	best := p.score()
	for i, m := range p.Position.AppendMoves(nil) {
		if p.Scores[i] == best {
			return m
		}
	}
	panic(fmt.Sprintf("puzzle %d has no best move", p.Number)) // check has found one
}

// Margin returns the difference between the best move and the second best one, in points.
func (p *Puzzle) Margin() float64 {
	margin := math.Inf(1)
	for _, a := range p.Answers() {
		if a.Loss > 0 {
			margin = min(margin, a.Loss)
		}
	}
	return margin
}

// score returns the final score after the best move.
func (p *Puzzle) score() float64 {
	best := p.Scores[0]
	for _, score := range p.Scores {
		if p.Position.SideToMove() == rules.Attacker {
			best = min(best, score)
		} else {
			best = max(best, score)
		}
	}
	return best
}

// check returns an error unless the puzzle has a score for each of its moves, only one best move, and a possible depth.
func (p *Puzzle) check() error {
	if moves := len(p.Position.AppendMoves(nil)); len(p.Scores) != moves || moves == 0 {
		return fmt.Errorf("%d scores for %d legal moves", len(p.Scores), moves)
	}
	if p.Depth < 0 || p.Depth > MostPuzzleDepth {
		return fmt.Errorf("depth %d: want 0 to %d", p.Depth, MostPuzzleDepth)
	}
	best, count := p.score(), 0
	for _, score := range p.Scores {
		if score == best {
			count++
		}
	}
	if count != 1 {
		return fmt.Errorf("%d moves lead to %v points: want only one best move", count, best)
	}
	return nil
}

// PuzzleLevel is the difficulty of a puzzle.
type PuzzleLevel string

// The levels, by depth.
const (
	Easy   PuzzleLevel = "easy"   // 1 slide
	Medium PuzzleLevel = "medium" // 2 or 3 slides
	Hard   PuzzleLevel = "hard"   // more
)

// Level returns the difficulty of the puzzle.
func (p *Puzzle) Level() PuzzleLevel {
	switch {
	case p.Depth == 0 || p.Depth > 3:
		return Hard
	case p.Depth > 1:
		return Medium
	}
	return Easy
}

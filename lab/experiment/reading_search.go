package experiment

import (
	"math"
	"math/bits"
	"slices"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/rules"
)

// search is the minimax search of a reading, with alpha-beta pruning and nothing else. It plays the game on the
// full board under the rules that place only 2s, so that the score is the board's potential.
type search struct {
	reading    Reading
	evaluation *evaluation.Evaluator
}

func newSearch(r Reading) search {
	return search{r, evaluation.New(rules.Full, evaluation.Variant{Empty: r.Empty})}
}

// choose returns the best of moves, which are the legal moves in p. It may reorder them.
func (s search) choose(p rules.Position, moves []rules.Move, random *playout.Generator) rules.Move {
	switch s.reading.Ties {
	case Drawn:
		random.Shuffle(moves)
	case Last:
		slices.Reverse(moves)
	}
	sign := 1
	if p.SideToMove() == rules.Attacker {
		sign = -1
	}
	best, most := moves[0], math.MinInt
	for _, m := range moves {
		if value := sign * s.after(p, m, sign, most); value > most {
			best, most = m, value
		}
	}
	return best
}

// after returns the value of a move for the defender. sign is 1 if the defender moves, else -1. low is a bound from the
// view of the side that moves. If the move is worth at most low to that side, after may return any value that is worth
// at most low to it.
func (s search) after(p rules.Position, m rules.Move, sign, low int) int {
	next := p.Next(m)
	earned := 0
	if s.reading.Root {
		earned = s.reading.Points * (next.Score() - p.Score())
	}
	alpha, beta := low, math.MaxInt
	if sign < 0 {
		alpha, beta = -math.MaxInt, -max(low, -math.MaxInt)
	}
	alpha = max(alpha, -math.MaxInt/2) - earned
	beta = min(beta, math.MaxInt/2) - earned
	if p.SideToMove() == rules.Attacker {
		return earned + s.slides(next.Board(), plies{placements: 1}, alpha, beta)
	}
	return earned + s.placements(next.Board(), plies{slides: 1}, alpha, beta)
}

// plies counts the plies that a search has looked ahead.
type plies struct{ slides, placements int }

// ends reports whether a search ends after the plies in done. slid reports whether the last ply was a slide.
func (s search) ends(done plies, slid bool) bool {
	switch s.reading.End {
	case AfterSlide:
		return slid && done.slides == paperDepth
	case AfterPlacement:
		return !slid && done.placements == paperDepth
	case BeforeSlide:
		return !slid && done.slides == paperDepth-1
	default:
		return !slid && done.slides == paperDepth
	}
}

// slides returns the value of a board with the defender to move.
func (s search) slides(b rules.Board, done plies, alpha, beta int) int {
	if s.ends(done, false) {
		return s.value(b, b)
	}
	done.slides++
	best, mated := math.MinInt, true
	for m := rules.North; m <= rules.East; m++ {
		slid := b.Slide(rules.Full, m)
		if slid == b {
			continue
		}
		mated = false
		v := 0
		switch {
		case !s.ends(done, true):
			v = s.placements(slid, done, max(alpha, best), beta)
		case s.reading.Unmerged:
			v = s.value(slid, b)
		default:
			v = s.value(slid, slid)
		}
		if best = max(best, v); best >= beta {
			return best
		}
	}
	if mated {
		return s.value(b, b)
	}
	return best
}

// placements returns the value of a board with the attacker to move.
func (s search) placements(b rules.Board, done plies, alpha, beta int) int {
	done.placements++
	best := math.MaxInt
	for empty := b.Empty(rules.Full); empty != 0; empty &= empty - 1 {
		placed := b.With(bits.TrailingZeros64(empty)/4, 1)
		if best = min(best, s.slides(placed, done, alpha, min(beta, best))); best <= alpha {
			return best
		}
	}
	return best
}

// value evaluates a position by the score of one board and the differences between the tiles of another one. Both may
// be the same board.
func (s search) value(scored, board rules.Board) int {
	points := s.reading.Points
	if s.reading.Root {
		points = 0
	}
	differences := 2*board.Potential() - s.evaluation.Of(board)
	return points*scored.Potential() - differences
}

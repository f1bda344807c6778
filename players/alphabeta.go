package players

import (
	"math/bits"

	"versus2048/rules"
)

// lowest is the value of a board where the attacker is to move if it lies
// between alpha and beta, else a bound on the same side of them. Once the search
// has ended it returns soon, and what it returns and keeps means nothing: no
// iteration comes after it, and the next move's search forgets it.
//
// The table's move comes first and the cells after it next, round the board.
func (s *boardSearch) lowest(b rules.Board, plies, alpha, beta int) int {
	if !s.visit() {
		return 0
	}
	known := s.table.find(b, plies)
	if known.settles(plies, alpha, beta) {
		return int(known.value)
	}
	s.expand(plies)
	best, bestMove, first := infinity, known.move, known.move.Cell()
	for cells := bits.RotateLeft64(b.Empty(s.size), -4*first); cells != 0 && best > alpha; cells &= cells - 1 {
		cell := (first + bits.TrailingZeros64(cells)/4) & 15
		for exponent := 1; exponent <= s.tiles; exponent++ {
			unearned := 8 * (1 - exponent)
			v := s.placed(b.With(cell, exponent), plies-1, alpha-unearned, min(beta, best)-unearned, best < infinity) + unearned
			if v < best {
				best, bestMove = v, rules.Place(cell, exponent == 2)
			}
		}
	}
	s.table.keep(b, plies, alpha, beta, best, bestMove)
	return best
}

// placed is the value after a placement. If another move is to be beaten, it
// first asks whether it is.
func (s *boardSearch) placed(b rules.Board, plies, alpha, beta int, beat bool) int {
	if beat && plies > 1 {
		v := s.highest(b, plies, beta-1, beta)
		if v <= alpha || v >= beta {
			return v
		}
		beta = v + 1
	}
	return s.highest(b, plies, alpha, beta)
}

// highest is what lowest is, where the defender is to move. The table's move
// comes first and those that look best next.
func (s *boardSearch) highest(b rules.Board, plies, alpha, beta int) int {
	if plies == 1 {
		return s.lastSlide(b, beta)
	}
	if !s.visit() {
		return 0
	}
	known := s.table.find(b, plies)
	if known.settles(plies, alpha, beta) {
		return int(known.value)
	}
	var store [4]slidBoard
	slides := s.slides(store[:0], b, known.move)
	if len(slides) == 0 {
		return s.Of(b) - s.mate
	}
	s.expand(plies)
	best, bestMove := -infinity, known.move
	for i := 0; i < len(slides) && best < beta; i++ {
		v := s.slid(slides[i].board, plies-1, max(alpha, best), beta, i > 0)
		if v > best {
			best, bestMove = v, slides[i].move
		}
	}
	s.table.keep(b, plies, alpha, beta, best, bestMove)
	return best
}

// slid is the value after a slide, as placed is after a placement.
func (s *boardSearch) slid(b rules.Board, plies, alpha, beta int, beat bool) int {
	if beat {
		v := s.lowest(b, plies, alpha, alpha+1)
		if v <= alpha || v >= beta {
			return v
		}
		alpha = v - 1
	}
	return s.lowest(b, plies, alpha, beta)
}

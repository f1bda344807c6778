package alphabeta

import (
	"math/bits"

	"versus2048/players/evaluation"
	"versus2048/rules"
)

// boardSearch is a fail-soft alpha-beta search of boards that never hold a 65536, with a
// transposition table (Knuth and Moore 1975; Marsland 1986). Once a node has a best move, each other
// move is first searched with an empty window, which only finds out whether it is better (principal
// variation search).
//
// Values are on the scale of Evaluator.Of: they depend on the board alone, not on the score so far.
// Plies are counted from the leaves; the last one is a slide.
type boardSearch struct {
	count      *counter
	evaluation evaluation.Evaluator
	mate       int // how much less a mated position is worth
	size       rules.Size
	tiles      int // largest exponent that can be placed: 1 for a 2, 2 for a 4
	table      transpositions
	refuter    rules.Move // the slide that lastSlide tries first: the best one of its last call
}

// newBoardSearch returns a search that can be used for all moves of a game.
func newBoardSearch(s rules.Size, r rules.Ruleset, v evaluation.Variant) *boardSearch {
	search := boardSearch{
		evaluation: evaluation.New(s, v), mate: v.Mate, size: s, tiles: 1, table: newTranspositions(),
	}
	if r.Fours() {
		search.tiles = 2
	}
	return &search
}

// fits reports whether p has the size and the placed tiles that the search was made for.
func (s *boardSearch) fits(p rules.Position) bool {
	return s.size == p.Size() && (s.tiles == 2) == p.Rules().Fours()
}

// start prepares the search for the next move.
func (s *boardSearch) start(count *counter) {
	s.count, s.refuter = count, rules.West
	s.table.forget()
}

// value implements tree.
func (s *boardSearch) value(p rules.Position, plies, alpha, beta int) int {
	b, extra := p.Board(), evaluation.Surplus(p)
	switch {
	case plies == 0:
		s.count.nodes++
		return s.evaluation.Of(b) + extra
	case p.SideToMove() == rules.Attacker:
		return s.lowest(b, plies, alpha-extra, beta-extra) + extra
	default:
		return s.highest(b, plies, alpha-extra, beta-extra) + extra
	}
}

// appendVariation implements tree. It appends moves as long as the table has entries.
func (s *boardSearch) appendVariation(dst []rules.Move, p rules.Position, plies int) []rules.Move {
	for ; plies > 0; plies-- {
		m, ok := s.best(p.Board(), plies)
		if !ok {
			break
		}
		dst, p = append(dst, m), p.Next(m)
	}
	return dst
}

// best returns the best move on b if it is known.
func (s *boardSearch) best(b rules.Board, plies int) (m rules.Move, ok bool) {
	if plies > 1 {
		known := s.table.find(b, plies)
		return known.move, int(known.plies) == plies && known.bound == exactly
	}
	var store [4]slidBoard
	slides := s.slides(store[:0], b, 0)
	if len(slides) == 0 {
		return 0, false
	}
	return slides[0].move, true
}

// lowest returns the value of a board where the attacker is to move if it lies between alpha and
// beta, and otherwise a bound on the same side of them. Once the search has been stopped it returns
// soon, with a meaningless result. That does no harm: the iteration is discarded, and the search for
// the next move empties the table.
//
// It tries the table's move first and then the cells after it, wrapping around.
func (s *boardSearch) lowest(b rules.Board, plies, alpha, beta int) int {
	if !s.count.visit() {
		return 0
	}
	known := s.table.find(b, plies)
	if known.settles(plies, alpha, beta) {
		return int(known.value)
	}
	s.count.expand(plies)
	best, bestMove, first := infinity, known.move, known.move.Cell()
	for cells := bits.RotateLeft64(b.Empty(s.size), -4*first); cells != 0 && best > alpha; cells &= cells - 1 {
		cell := (first + bits.TrailingZeros64(cells)/4) & 15
		for exponent := 1; exponent <= s.tiles; exponent++ {
			surplus := 8 * (1 - exponent)
			v := s.placed(b.With(cell, exponent), plies-1, alpha-surplus, min(beta, best)-surplus, best < infinity) + surplus
			if v < best {
				best, bestMove = v, rules.Place(cell, exponent == 2)
			}
		}
	}
	s.table.keep(b, plies, alpha, beta, best, bestMove)
	return best
}

// placed returns the value after a placement. If there is another move to beat, it first searches with
// an empty window, which only finds out whether this move is better.
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

// highest is the counterpart of lowest where the defender is to move. It tries the table's move
// first and then the moves with the best evaluations.
func (s *boardSearch) highest(b rules.Board, plies, alpha, beta int) int {
	if plies == 1 {
		return s.lastSlide(b, beta)
	}
	if !s.count.visit() {
		return 0
	}
	known := s.table.find(b, plies)
	if known.settles(plies, alpha, beta) {
		return int(known.value)
	}
	var store [4]slidBoard
	slides := s.slides(store[:0], b, known.move)
	if len(slides) == 0 {
		return s.evaluation.Of(b) - s.mate
	}
	s.count.expand(plies)
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

// slid is the counterpart of placed for a slide.
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

// lastSlide is highest for one ply, the last slide. Much of the time is spent here.
func (s *boardSearch) lastSlide(b rules.Board, beta int) int {
	s.count.nodes++
	across, best, first := b.Transpose(), -infinity, s.refuter
	for i := rules.Move(0); i < 4 && best < beta; i++ {
		slid, v := s.evaluation.Slide(b, across, first^i)
		if slid == b {
			continue
		}
		s.count.nodes++
		if v > best {
			best, s.refuter = v, first^i
		}
	}
	if best == -infinity {
		return s.evaluation.Of(b) - s.mate
	}
	s.count.expand(1)
	return best
}

// slidBoard is a board after a slide.
type slidBoard struct {
	board rules.Board
	value int // its evaluation
	move  rules.Move
}

// slides appends the legal slides of b: the slide first, if it is legal, and then the others, the
// highest evaluation first.
func (s *boardSearch) slides(dst []slidBoard, b rules.Board, first rules.Move) []slidBoard {
	across := b.Transpose()
	for m := rules.North; m <= rules.East; m++ {
		slid, v := s.evaluation.Slide(b, across, m)
		if slid == b {
			continue
		}
		if m == first {
			v = infinity
		}
		dst = append(dst, slidBoard{slid, v, m})
		for i := len(dst) - 1; i > 0 && dst[i].value > dst[i-1].value; i-- {
			dst[i], dst[i-1] = dst[i-1], dst[i]
		}
	}
	return dst
}

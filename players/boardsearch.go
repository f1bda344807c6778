package players

import (
	"versus2048/players/evaluation"
	"versus2048/rules"
)

// infinity is beyond every evaluation.
const infinity = 1 << 30

// boardSearch is a fail-soft alpha-beta search of boards that never hold a
// 65536, with a transposition table (Knuth and Moore 1975; Marsland 1986). Once
// a node has a best move, the others are first asked with an empty window
// whether they are better (principal variation search).
//
// Values are those of evaluation.of, so that equal boards are equal whatever
// has been scored. Plies are those to the leaves; the last one is a slide.
type boardSearch struct {
	*visits
	evaluation.Evaluator
	mate    int // how much less a mated position is worth
	size    rules.Size
	tiles   int // that can be placed: 1, the 2, or 2, the 4 too
	table   transpositions
	refuter rules.Move // the last slide that was good enough
}

// newBoardSearch makes a search for many moves of one game.
func newBoardSearch(s rules.Size, r rules.Ruleset, as evaluation.Variant) *boardSearch {
	search := boardSearch{Evaluator: evaluation.New(s, as), mate: as.Mate, size: s, tiles: 1, table: newTranspositions()}
	if r.Fours() {
		search.tiles = 2
	}
	return &search
}

// serves tells whether p is of a game that the search was made for.
func (s *boardSearch) serves(p rules.Position) bool {
	return s.size == p.Size() && (s.tiles == 2) == p.Rules().Fours()
}

// begin begins the search for a move.
func (s *boardSearch) begin(v *visits) {
	s.visits, s.refuter = v, rules.West
	s.table.forget()
}

// value implements tree.
func (s *boardSearch) value(p rules.Position, plies, alpha, beta int) int {
	b, extra := p.Board(), evaluation.Surplus(p)
	switch {
	case plies == 0:
		s.nodes++
		return s.Of(b) + extra
	case p.SideToMove() == rules.Attacker:
		return s.lowest(b, plies, alpha-extra, beta-extra) + extra
	default:
		return s.highest(b, plies, alpha-extra, beta-extra) + extra
	}
}

// appendVariation implements tree. It goes as far as the table's entries are
// there.
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

// best is the best move on b if it is known.
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

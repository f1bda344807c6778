package alphabeta

import (
	"versus2048/players/searching"
	"versus2048/rules"
)

// positionSearch is the plain fail-soft alpha-beta search of positions. It is for the rare searches that may reach a
// 65536.
type positionSearch struct {
	count      *searching.Counter
	evaluation searching.Evaluation
	config     *Config
}

// value implements tree.
func (s positionSearch) value(p rules.Position, plies, ply, alpha, beta int) int {
	switch {
	case p.Over() && s.config.Hurry:
		return ply - Mated
	case p.Over():
		return s.rate(p) - s.config.Mate
	case plies == 0 || !s.count.Visit():
		return s.rate(p)
	}
	s.count.Expanded[ply]++
	moves := p.AppendMoves(make([]rules.Move, 0, 32))
	if p.SideToMove() == rules.Defender {
		best := -infinity
		for i := 0; i < len(moves) && best < beta; i++ {
			best = max(best, s.value(p.Next(moves[i]), plies-1, ply+1, max(alpha, best), beta))
		}
		return best
	}
	best := infinity
	for i := 0; i < len(moves) && best > alpha; i++ {
		best = min(best, s.value(p.Next(moves[i]), plies-1, ply+1, alpha, min(beta, best)))
	}
	return best
}

// rate evaluates p. An evaluation of boards alone takes a 65536 for a 32768.
func (s positionSearch) rate(p rules.Position) int {
	if e, ok := s.evaluation.(positionEvaluation); ok {
		return e.Position(p)
	}
	return s.evaluation.Of(p.Board()) + searching.Surplus(p, searching.PointValue(s.evaluation))
}

// appendVariation implements tree. It appends nothing, since the search keeps nothing.
func (positionSearch) appendVariation(dst []rules.Move, _ rules.Position, _ int) []rules.Move {
	return dst
}

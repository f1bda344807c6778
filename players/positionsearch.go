package players

import (
	"versus2048/players/evaluation"
	"versus2048/rules"
)

// positionSearch is the plain fail-soft alpha-beta search of positions, for the
// rare games in which a 65536 may come up.
type positionSearch struct {
	*visits
	reading evaluation.Variant
}

// value implements tree.
func (s positionSearch) value(p rules.Position, plies, alpha, beta int) int {
	switch {
	case p.Over():
		return s.reading.Position(p) - s.reading.Mate
	case plies == 0 || !s.visit():
		return s.reading.Position(p)
	}
	s.expand(plies)
	moves := p.AppendMoves(make([]rules.Move, 0, 32))
	if p.SideToMove() == rules.Defender {
		best := -infinity
		for i := 0; i < len(moves) && best < beta; i++ {
			best = max(best, s.value(p.Next(moves[i]), plies-1, max(alpha, best), beta))
		}
		return best
	}
	best := infinity
	for i := 0; i < len(moves) && best > alpha; i++ {
		best = min(best, s.value(p.Next(moves[i]), plies-1, alpha, min(beta, best)))
	}
	return best
}

// appendVariation implements tree. Nothing was kept to tell it from.
func (positionSearch) appendVariation(dst []rules.Move, _ rules.Position, _ int) []rules.Move {
	return dst
}

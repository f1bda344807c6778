package players

import (
	"context"
	"math"

	"versus2048/rules"
)

func evMinimaxKind() Kind {
	return Kind{
		Name:    "evminimax",
		Summary: "minimax to a fixed depth with the evaluation of Oka et al. 2015; equal moves are drawn",
		Options: []Option{
			{Name: "depth", Default: "3", Least: 1, Most: 8, Meaning: "slides to look ahead, whoever moves first"},
			seedOption(),
		},
		build: func(v values) chooser { return evMinimax{depth: int(v["depth"])} },
	}
}

// evMinimax plays a best move of the full minimax tree down to the depth-th
// slide; alpha-beta only leaves out what can't change the choice. Where chance
// places the tiles it expects the worst, as the paper does of an attacker.
type evMinimax struct{ depth int }

func (e evMinimax) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *generator) rules.Move {
	// The shuffled first of the best is drawn uniformly from them.
	g.shuffle(moves)
	fallback, _ := alphaBeta{context.Background()}.best(p, moves, 1)
	if best, any := (alphaBeta{ctx}).best(p, moves, e.depth); any {
		return best
	}
	return fallback
}

// alphaBeta searches until its context ends. Values are evaluations: the
// defender wants them high.
type alphaBeta struct{ ctx context.Context }

// best is the first best of moves, as far as they could be searched in time.
// It is not ok if none could.
func (s alphaBeta) best(p rules.Position, moves []rules.Move, depth int) (best rules.Move, ok bool) {
	alpha, beta := math.MinInt, math.MaxInt
	for _, m := range moves {
		v := s.value(p.Next(m), left(p, depth), alpha, beta)
		if s.ctx.Err() != nil {
			break
		}
		switch {
		case p.SideToMove() == rules.Defender && v > alpha:
			best, ok, alpha = m, true, v
		case p.SideToMove() == rules.Attacker && v < beta:
			best, ok, beta = m, true, v
		}
	}
	return best, ok
}

// left is how many of depth slides are left after a move in p.
func left(p rules.Position, depth int) int {
	if p.SideToMove() == rules.Defender {
		return depth - 1
	}
	return depth
}

// value is the minimax value of p after depth more slides if it lies between
// alpha and beta, else a bound on the same side of them. It means nothing once
// the context has ended.
func (s alphaBeta) value(p rules.Position, depth, alpha, beta int) int {
	switch {
	case p.SideToMove() == rules.Defender:
		return s.highest(p, depth, alpha, beta)
	case depth == 0 || s.ctx.Err() != nil:
		return evaluate(p)
	default:
		return s.lowest(p, depth, alpha, beta)
	}
}

// highest is value where the defender is to move.
func (s alphaBeta) highest(p rules.Position, depth, alpha, beta int) int {
	best, mated := math.MinInt, true
	for m := rules.North; m <= rules.East && best < beta; m++ {
		next := p.Next(m)
		if next.Board() == p.Board() {
			continue // nothing moved
		}
		mated = false
		best = max(best, s.value(next, depth-1, max(alpha, best), beta))
	}
	if mated {
		return evaluate(p)
	}
	return best
}

// lowest is value where the attacker is to move.
func (s alphaBeta) lowest(p rules.Position, depth, alpha, beta int) int {
	best := math.MaxInt
	for _, m := range p.AppendMoves(make([]rules.Move, 0, 32)) {
		best = min(best, s.value(p.Next(m), depth, alpha, min(beta, best)))
		if best <= alpha {
			break
		}
	}
	return best
}

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
// slide; alpha-beta cut-offs leave out only what can't change the choice. Where chance
// places the tiles it expects the worst, as the paper does of an attacker.
type evMinimax struct{ depth int }

func (e evMinimax) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *generator) rules.Move {
	// The shuffled first of the best is drawn uniformly from them.
	g.shuffle(moves)
	fallback, _ := minimaxMove(context.Background(), p, moves, 1)
	if best, ok := minimaxMove(ctx, p, moves, e.depth); ok {
		return best
	}
	return fallback
}

// minimaxMove is the first best of moves, as far as they could be searched
// before ctx ended. It is not ok if none could.
func minimaxMove(ctx context.Context, p rules.Position, moves []rules.Move, depth int) (best rules.Move, ok bool) {
	alpha, beta := math.MinInt, math.MaxInt
	for _, m := range moves {
		v := alphaBeta(ctx, p.Next(m), slidesLeft(p, depth), alpha, beta)
		if ctx.Err() != nil {
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

// slidesLeft is how many of depth slides are left after a move in p.
func slidesLeft(p rules.Position, depth int) int {
	if p.SideToMove() == rules.Defender {
		return depth - 1
	}
	return depth
}

// alphaBeta is the minimax value of p after depth more slides if it lies
// between alpha and beta, else a bound on the same side of them. Once ctx has
// ended it returns soon, and what it returns means nothing.
func alphaBeta(ctx context.Context, p rules.Position, depth, alpha, beta int) int {
	switch {
	case p.SideToMove() == rules.Defender:
		return highest(ctx, p, depth, alpha, beta)
	case depth == 0 || ctx.Err() != nil:
		return evaluate(p)
	default:
		return lowest(ctx, p, depth, alpha, beta)
	}
}

// highest is alphaBeta where the defender is to move.
func highest(ctx context.Context, p rules.Position, depth, alpha, beta int) int {
	best, mated := math.MinInt, true
	for m := rules.North; m <= rules.East && best < beta; m++ {
		next := p.Next(m)
		if next.Board() == p.Board() {
			continue // nothing moved
		}
		mated = false
		best = max(best, alphaBeta(ctx, next, depth-1, max(alpha, best), beta))
	}
	if mated {
		return evaluate(p)
	}
	return best
}

// lowest is alphaBeta where the attacker is to move.
func lowest(ctx context.Context, p rules.Position, depth, alpha, beta int) int {
	best := math.MaxInt
	for _, m := range p.AppendMoves(make([]rules.Move, 0, 32)) {
		best = min(best, alphaBeta(ctx, p.Next(m), depth, alpha, min(beta, best)))
		if best <= alpha {
			break
		}
	}
	return best
}

package players

import (
	"context"
	"math"

	"versus2048/players/playout"
	"versus2048/rules"
)

func greedyKind() Kind {
	return Kind{
		Name:    "greedy",
		Summary: "looks one slide ahead at the score; equal moves are drawn",
		Options: []Option{seedOption()},
		build:   func(values) chooser { return greedy{} },
	}
}

// greedy defends with the slide that scores most, and attacks with the
// placement after which the best slide scores least, a mate above all.
type greedy struct{}

func (greedy) choose(_ context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	g.Shuffle(moves)
	best, bestScore := moves[0], math.MinInt
	for _, m := range moves {
		score := p.Next(m).Score()
		if p.SideToMove() == rules.Attacker {
			score = -bestSlide(p.Next(m))
		}
		if score > bestScore {
			best, bestScore = m, score
		}
	}
	return best
}

// bestSlide is the score after the best slide in p, -1 if p is mated.
func bestSlide(p rules.Position) int {
	best := -1
	for _, m := range p.AppendMoves(make([]rules.Move, 0, 4)) {
		best = max(best, p.Next(m).Score())
	}
	return best
}

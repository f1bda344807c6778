package players

import (
	"context"
	"math"

	"versus2048/players/playout"
	"versus2048/rules"
)

// simpleKind returns a kind of bot that has no option but its seed.
func simpleKind(name, summary string, c chooser) Kind {
	return entry[uint64]{
		name: name, summary: summary,
		options: func(ownSeed *uint64) []setting { return []setting{seedOption(ownSeed)} },
		player: func(ownSeed uint64, g Game) Player {
			return &bot{seed: g.Seed, ownSeed: ownSeed, chooser: c}
		},
	}.kind()
}

type random struct{}

func (random) choose(_ context.Context, _ rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	return moves[g.Below(len(moves))]
}

// greedy defends with the slide that scores most. It attacks with a mate if there is one, or else with the
// placement that makes the score of the best slide lowest.
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

// bestSlide returns the score after the best slide in p, -1 if p is mated.
func bestSlide(p rules.Position) int {
	best := -1
	for _, m := range p.AppendMoves(make([]rules.Move, 0, 4)) {
		best = max(best, p.Next(m).Score())
	}
	return best
}

// Chance returns the attacker of the solo rules: it draws a cell uniformly and places a tile there, a 4 with
// probability 1/10 if the rules have 4s. As defender it slides at random. It is the bot "chance" with its own
// seed 0.
func Chance(g Game) Player { return &bot{seed: g.Seed, chooser: chance{}} }

type chance struct{}

func (chance) choose(_ context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	total := 0
	for _, m := range moves {
		total += playout.ChanceWeight(p.Rules(), m)
	}
	drawn := g.Below(total)
	for _, m := range moves {
		if drawn -= playout.ChanceWeight(p.Rules(), m); drawn < 0 {
			return m
		}
	}
	panic("chance: the weights do not add up")
}

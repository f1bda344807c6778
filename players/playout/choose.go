package playout

import (
	"math"

	"versus2048/rules"
)

// ChooseRandom draws uniformly from the moves.
func ChooseRandom(_ rules.Position, moves []rules.Move, g *Generator) rules.Move {
	return moves[g.Below(len(moves))]
}

// ChooseGreedy defends with the slide that scores most. It attacks with a mate if there is one, or else with the
// placement that makes the score of the best slide lowest. It draws one of several equal moves, and shuffles moves.
func ChooseGreedy(p rules.Position, moves []rules.Move, g *Generator) rules.Move {
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

// ChooseChance attacks as the solo rules do: it draws a cell uniformly and places a tile there, a 4 with probability
// 1/10 if the rules have 4s. As defender it draws a slide uniformly.
func ChooseChance(p rules.Position, moves []rules.Move, g *Generator) rules.Move {
	total := 0
	for _, m := range moves {
		total += ChanceWeight(p.Rules(), m)
	}
	drawn := g.Below(total)
	for _, m := range moves {
		if drawn -= ChanceWeight(p.Rules(), m); drawn < 0 {
			return m
		}
	}
	panic("chance: the weights do not add up")
}

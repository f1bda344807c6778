package players

import (
	"context"
	"math"

	"versus2048/rules"
)

// nTupleOptions are the options of the kind ntuple.
type nTupleOptions struct {
	weights nTupleWeights
}

func nTupleKind() Kind {
	return entry[nTupleOptions]{
		name:    "ntuple",
		summary: "looks one slide ahead at the values of an n-tuple network that was learned by self-play",
		options: func(o *nTupleOptions) []setting {
			return []setting{o.weights.setting(rulesWeights, "the network: ")}
		},
		open:  func(o *nTupleOptions) error { return o.weights.open() },
		plays: func(o nTupleOptions, r rules.Ruleset, s rules.Size) error { return o.weights.plays(r, s) },
		need: func(o nTupleOptions) Need {
			return Need{Memory: leastMemory + o.weights.memory(), Threads: 1}
		},
		player: func(o nTupleOptions, g Game) Player {
			return o.weights.player(g, func(n *network) Player { return nTuple{n} })
		},
	}.kind()
}

// nTuple defends with the slide that gives the network's highest expectation of the final score. It attacks with
// the placement that makes this expectation lowest. Of equal moves it takes the first.
type nTuple struct{ network *network }

// Choose implements Player.
func (n nTuple) Choose(_ context.Context, p rules.Position) (rules.Move, error) {
	moves := p.AppendMoves(nil)
	switch {
	case len(moves) == 0:
		return 0, gameOver(p)
	case len(moves) == 1:
		return moves[0], nil
	case p.SideToMove() == rules.Defender:
		best, _ := n.slide(p)
		return best, nil
	}
	best, least := moves[0], math.MaxInt
	for _, m := range moves {
		if _, score := n.slide(p.Next(m)); score < least {
			best, least = m, score
		}
	}
	return best, nil
}

// slide returns the best slide and the final score that the network expects from it. If the defender is mated,
// it returns the score so far.
func (n nTuple) slide(p rules.Position) (best rules.Move, score int) {
	slides := p.AppendMoves(make([]rules.Move, 0, 4))
	if len(slides) == 0 {
		return 0, p.Score()
	}
	score = math.MinInt
	for _, m := range slides {
		next := p.Next(m)
		if v := next.Score() + n.network.expectedGain(next.Board()); v > score {
			best, score = m, v
		}
	}
	return best, score
}

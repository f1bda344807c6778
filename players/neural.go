package players

import (
	"cmp"
	"context"
	"slices"
	"time"

	"versus2048/players/neural"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// neuralOptions are the options of the kinds that play the choice of their networks, without a search.
type neuralOptions struct {
	weights neuralWeights
	vote    bool // whether the symmetric boards vote on a slide
}

func cnnKind() Kind {
	return neuralKind("cnn", "takes the slide that a convolutional network is surest of; trained on a teacher's games (Kondo and Matsuzaki 2020)", ratePolicy,
		func(o *neuralOptions) setting {
			return toggle(&o.vote, Option{
				Name: "boards", Default: "1", Choices: []string{"1", "8"},
				Meaning: "boards that vote on a slide: the board alone, or all 8 symmetric ones (4 unless it is square); ties by the sum of their policies",
			})
		})
}

// boards returns the largest number of boards that vote.
func (o neuralOptions) boards() int {
	if o.vote {
		return 8
	}
	return 1
}

// neuralKind returns a kind that rates slides with a network. more are its options after weights.
func neuralKind(name, summary string, rate slideRater, more ...func(*neuralOptions) setting) Kind {
	return entry[neuralOptions]{
		name: name, summary: summary,
		options: func(o *neuralOptions) []setting {
			list := []setting{o.weights.setting(name)}
			for _, option := range more {
				list = append(list, option(o))
			}
			return list
		},
		open:  func(o *neuralOptions) error { return o.weights.open() },
		plays: func(o neuralOptions, r rules.Ruleset, s rules.Size) error { return o.weights.plays(r, s) },
		need: func(o neuralOptions) Need {
			return Need{Memory: leastMemory + o.weights.memory(o.batch()), Threads: 1}
		},
		player: func(o neuralOptions, g Game) Player {
			return o.weights.player(func(n *neural.Network) Player {
				return &bot{seed: g.Seed, chooser: &neuralChooser{network: n, batch: o.batch(), boards: o.boards(), rate: rate}}
			})
		},
	}.kind()
}

// atOnce is the number of positions that are rated at once. The attacker looks at its clock before each batch.
const atOnce = 8

// batch returns the number of boards that the network computes at once. For each position it computes the boards after
// the slides, or the symmetric boards.
func (o neuralOptions) batch() int { return atOnce * max(len(slides), o.boards()) }

// neuralChooser is a chooser that plays the choice of a network. As defender it takes the slide that the network rates
// best. These networks have not learned to attack: as attacker it takes the placement after which the defender's best
// slide has the lowest value. The value is the expected final score or, for cnn, the share in the policy. Of equal
// moves it takes the first.
type neuralChooser struct {
	network   *neural.Network
	evaluator *neural.Evaluator // nil until the first choose
	batch     int
	boards    int
	rate      slideRater

	rated []record.RootMove // the ratings by the last choose, the best first
	nodes int64
	took  time.Duration
}

func (c *neuralChooser) choose(ctx context.Context, p rules.Position, moves []rules.Move, _ *playout.Generator) rules.Move {
	began := time.Now()
	defer func() { c.took = time.Since(began) }()
	if c.evaluator == nil {
		c.evaluator = c.network.Evaluator(c.batch)
	}
	c.nodes, c.rated = 0, c.rated[:0]
	if p.SideToMove() == rules.Defender {
		c.nodes++
		c.rated = c.rate(c, []rules.Position{p})[0]
	} else {
		c.attack(ctx, p, moves)
	}
	if len(c.rated) == 0 {
		return moves[0]
	}
	return c.rated[0].Move
}

// attack rates the placements until ctx ends.
func (c *neuralChooser) attack(ctx context.Context, p rules.Position, moves []rules.Move) {
	for chunk := range slices.Chunk(moves, atOnce) {
		if ctx.Err() != nil {
			break
		}
		var unmated []rules.Position
		for _, m := range chunk {
			next := p.Next(m)
			c.nodes++
			if next.Over() {
				c.rated = append(c.rated, record.RootMove{Move: m, Value: c.mateValue(p), Visits: 1, Mate: 1})
				continue
			}
			unmated = append(unmated, next)
			c.rated = append(c.rated, record.RootMove{Move: m, Visits: 1})
		}
		rest := c.rated[len(c.rated)-len(chunk):]
		for _, answers := range c.rate(c, unmated) {
			for rest[0].Mate > 0 {
				rest = rest[1:]
			}
			rest[0].Value, rest = answers[0].Value, rest[1:]
		}
	}
	slices.SortStableFunc(c.rated, func(a, b record.RootMove) int { return cmp.Compare(a.Value, b.Value) })
}

// mateValue returns the value of a placement that mates.
func (c *neuralChooser) mateValue(p rules.Position) float64 {
	if c.network.Method() == "cnn" {
		return 0
	}
	return float64(p.Score())
}

// report implements reporter. Values are points of the final score, or for cnn the confidence of the policy in
// percent. Visits are the votes of boards, or 1.
func (c *neuralChooser) report() *record.SearchReport {
	r := &record.SearchReport{Nodes: c.nodes, Time: c.took, Moves: slices.Clone(c.rated)}
	if len(c.rated) > 0 {
		r.Variation = []rules.Move{c.rated[0].Move}
	}
	return r
}

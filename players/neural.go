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

// instinctOptions are the options of the kinds that play the choice of their networks, without a search.
type instinctOptions struct {
	weights neuralWeights
	vote    votes
}

func tdKind() Kind {
	return instinctKind("td", "takes the slide to the board that a network values most; trained by temporal differences of afterstates", rateValues)
}

func dqnKind() Kind {
	return instinctKind("dqn", "takes the slide that a network values most; trained by deep Q-learning (Mnih et al. 2015)", rateQ)
}

func ppoKind() Kind {
	return instinctKind("ppo", "takes the slide that a network prefers; trained by PPO on afterstates (Yamashita and Kaneko 2021)", ratePreferences)
}

func cnnKind() Kind {
	return instinctKind("cnn", "takes the slide that a convolutional network is surest of; trained on a teacher's games (Kondo and Matsuzaki 2020)", ratePolicy,
		func(o *instinctOptions) setting {
			return number(&o.vote, Option{
				Name: "boards", Default: "1", Choices: wordsUpTo(allBoards),
				Meaning: "1 board, or its 8 symmetric ones (4 unless it is square), which vote; ties by the sum of their policies",
			})
		})
}

// votes tells how many symmetric boards vote on a move.
type votes uint8

const (
	oneBoard  votes = iota
	allBoards       // the symmetric boards vote
)

func (v votes) String() string { return [...]string{"1", "8"}[v] }

// boards returns the largest number of boards that vote.
func (v votes) boards() int {
	if v == allBoards {
		return 8
	}
	return 1
}

// instinctKind returns a kind that rates slides with a network.
func instinctKind(name, summary string, rate slideRater, more ...func(*instinctOptions) setting) Kind {
	return entry[instinctOptions]{
		name: name, summary: summary,
		options: func(o *instinctOptions) []setting {
			list := []setting{o.weights.setting(name)}
			for _, option := range more {
				list = append(list, option(o))
			}
			return list
		},
		open:  func(o *instinctOptions) error { return o.weights.open() },
		plays: func(o instinctOptions, r rules.Ruleset, s rules.Size) error { return o.weights.plays(r, s) },
		need: func(o instinctOptions) Need {
			return Need{Memory: leastMemory + o.weights.memory(o.batch()), Threads: 1}
		},
		player: func(o instinctOptions, g Game) Player {
			return o.weights.player(func(n *neural.Network) Player {
				return &bot{seed: g.Seed, chooser: &instinct{network: n, batch: o.batch(), boards: o.vote.boards(), rate: rate}}
			})
		},
	}.kind()
}

// atOnce is the number of positions that are rated at once. Before each batch a player looks at its clock.
const atOnce = 8

// batch returns the number of boards that the network computes at once. For each position they are the boards
// after its slides, or its symmetric boards.
func (o instinctOptions) batch() int { return atOnce * max(len(slides), o.vote.boards()) }

// instinct is a chooser that plays the choice of a network. As defender it takes the slide that the network rates
// best. These networks have not learned to attack: as attacker it takes the placement after which the best slide
// has the lowest rating, which is the expected score or, for cnn, the share in the policy. Of equal moves it takes
// the first.
type instinct struct {
	network   *neural.Network
	evaluator *neural.Evaluator // nil until the first choose
	batch     int
	boards    int
	rate      slideRater

	rated []record.RootMove // the ratings by the last choose, the best first
	nodes int64
	took  time.Duration
}

func (i *instinct) choose(ctx context.Context, p rules.Position, moves []rules.Move, _ *playout.Generator) rules.Move {
	began := time.Now()
	defer func() { i.took = time.Since(began) }()
	if i.evaluator == nil {
		i.evaluator = i.network.Evaluator(i.batch)
	}
	i.nodes, i.rated = 0, i.rated[:0]
	if p.SideToMove() == rules.Defender {
		i.nodes++
		i.rated = i.rate(i, []rules.Position{p})[0]
	} else {
		i.attack(ctx, p, moves)
	}
	if len(i.rated) == 0 {
		return moves[0]
	}
	return i.rated[0].Move
}

// attack rates the placements until ctx ends.
func (i *instinct) attack(ctx context.Context, p rules.Position, moves []rules.Move) {
	for chunk := range slices.Chunk(moves, atOnce) {
		if ctx.Err() != nil {
			break
		}
		var unmated []rules.Position
		for _, m := range chunk {
			next := p.Next(m)
			i.nodes++
			if next.Over() {
				i.rated = append(i.rated, record.RootMove{Move: m, Value: i.mateValue(p), Visits: 1, Mate: 1})
				continue
			}
			unmated = append(unmated, next)
			i.rated = append(i.rated, record.RootMove{Move: m, Visits: 1})
		}
		rest := i.rated[len(i.rated)-len(chunk):]
		for _, answers := range i.rate(i, unmated) {
			for rest[0].Mate > 0 {
				rest = rest[1:]
			}
			rest[0].Value, rest = answers[0].Value, rest[1:]
		}
	}
	slices.SortStableFunc(i.rated, func(a, b record.RootMove) int { return cmp.Compare(a.Value, b.Value) })
}

// mateValue returns the value of a placement that mates.
func (i *instinct) mateValue(p rules.Position) float64 {
	if i.network.Method() == "cnn" {
		return 0
	}
	return float64(p.Score())
}

// report implements reporter. Values are points of the final score, or for cnn the confidence of the policy in
// percent. Visits are the votes of boards, or 1.
func (i *instinct) report() *record.SearchReport {
	r := &record.SearchReport{Nodes: i.nodes, Time: i.took, Moves: slices.Clone(i.rated)}
	if len(i.rated) > 0 {
		r.Variation = []rules.Move{i.rated[0].Move}
	}
	return r
}

package players

import (
	"math"

	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/rules"
)

// outlooks are the playouts of mctsplus: random games that are played to their
// end, cut off after some slides, or not played at all.
type outlooks struct {
	count  int // playouts from a leaf
	policy playout.Policy
	slides int     // after which a playout is cut off
	mate   float64 // what a mated position is worth less
	shape  shape

	batch           playout.Batch
	root            float64 // the score at the root
	values, rewards moments // so far in this search
}

// wholeGame is the number of slides that stands for no cutting off.
const wholeGame = 1_000_000

// begin begins the search of a position.
func (o *outlooks) begin(root rules.Position) {
	o.root, o.values, o.rewards = float64(root.Score()), moments{}, moments{}
}

// playouts implements evaluator. Even games that are played to the end are
// played together.
func (o *outlooks) playouts(p rules.Position, random *playout.Generator) (total float64, n int32) {
	if o.slides == wholeGame && o.policy == playout.Random {
		for _, score := range o.batch.Play(p, o.count, random) {
			total += o.reward(float64(score))
		}
		return total, int32(o.count)
	}
	for range o.count {
		total += o.reward(o.value(p, random))
	}
	return total, int32(o.count)
}

// value is the score that a playout ends with, or what the position is worth in
// which it is cut off.
func (o *outlooks) value(p rules.Position, random *playout.Generator) float64 {
	switch {
	case o.slides == 0 || !playout.MergesFit(p) && o.slides < wholeGame:
		return o.worth(float64(evaluation.Variant{}.Position(p))/2, p.Over())
	case o.slides == wholeGame && !playout.MergesFit(p):
		return float64(playout.Play(p, random))
	}
	g := playout.NewGame(p)
	g.Play(o.policy, o.slides, random)
	if o.slides == wholeGame {
		return float64(g.Score())
	}
	return o.worth(float64(evaluation.Variant{}.Board(g.Board(), p.Size(), g.Score()))/2, g.Over())
}

// worth is a position's evaluation, or somewhat less if it is mated.
func (o *outlooks) worth(evaluation float64, over bool) float64 {
	if over {
		return evaluation - o.mate
	}
	return evaluation
}

// shape is what a reward is made of.
type shape uint8

const (
	asScore shape = iota // the score, or half the evaluation, which counts it twice
	asLog                // the logarithm of what is scored from the root on
	asRank               // its place among the others: the logistic function of its distance from their mean in standard deviations
)

var shapes = []string{"score", "log", "rank"}

// reward shapes a value.
func (o *outlooks) reward(value float64) float64 {
	reward := value
	switch o.shape {
	case asLog:
		reward = math.Log(max(1, value-o.root+100))
	case asRank:
		reward = 1 / (1 + math.Exp((o.values.mean-value)/max(1, o.values.deviation())))
		o.values.add(value)
	}
	o.rewards.add(reward)
	return reward
}

// moments are the mean and the spread of numbers (Welford 1962).
type moments struct{ n, mean, squares float64 }

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / m.n
	m.squares += d * (x - m.mean)
}

// deviation is the standard deviation, 0 for fewer than two numbers.
func (m *moments) deviation() float64 {
	if m.n < 2 {
		return 0
	}
	return math.Sqrt(m.squares / m.n)
}

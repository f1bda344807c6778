package proof

import (
	"math"
	"math/rand/v2"
	"slices"

	"versus2048/players/ntuple"
	"versus2048/rules"
)

// toCome learns the number of boards still to come from a board with the attacker to move, if the attacker always takes
// a placement with few boards to come. The value of a board is the logarithm of that number:
//
//	value(board) = min over placements of log(1 + sum over slides of exp(value(board after it)))
//
// A board counts once for each way to it: with a factor below 1 for each way, the bounds were worse
// (docs/notes/2026-11-29-analysis.md). Values are sums of the weights of an n-tuple network, which learns by TD(0) with
// temporal coherence along games. Wrong values make a bound worse, but not wrong: see BoundByFewest.
type toCome struct {
	size     rules.Size
	fours    bool // 4s may be placed
	features *ntuple.Features
	weights  []float32
	errors   []coherence // of each weight
	step     float32     // the share of an error that is added to each weight
}

// coherence are the sums of a weight's errors and of their absolute values.
type coherence struct{ sum, absolute float32 }

// largestValue keeps exponentials finite.
const largestValue = 300

// mostWeights is the largest size of the network. A larger one would learn more slowly.
const mostWeights = 1 << 26

func newToCome(r rules.Ruleset, s rules.Size) *toCome {
	structures := slices.DeleteFunc(ntuple.Structures(s), func(s ntuple.Structure) bool { return s.Weights() > mostWeights })
	structure := structures[len(structures)-1]
	features, weights := ntuple.NewFeatures(structure), structure.Weights()
	return &toCome{s, r.Fours(), features, make([]float32, weights), make([]coherence, weights), 1 / float32(features.Count())}
}

// estimator reads and learns values. Several may read at once, while none learns.
type estimator struct {
	*toCome
	numbers []uint32
	choices []choice
}

func (t *toCome) estimator() *estimator {
	return &estimator{toCome: t, numbers: t.features.NewNumbers()}
}

// choice is a placement with the boards after all slides.
type choice struct {
	board  rules.Board // with the defender to move
	four   bool
	after  [4]rules.Board
	values [4]float32 // of these boards
	slides int        // the number of these boards, 0 if the placement mates
	value  float64    // log(1 + sum of exp(values))
}

// of returns the value of a board.
func (e *estimator) of(b rules.Board) float32 {
	e.features.Numbers(e.numbers, b)
	sum := float32(0)
	for _, i := range e.numbers[:e.features.Count()] {
		sum += e.weights[i]
	}
	return min(sum, largestValue)
}

// placements returns the placements on a board, without values. The slice is valid until the next call.
func (e *estimator) placements(b rules.Board) []choice {
	e.choices = e.choices[:0]
	empty := b.Empty(e.size)
	for cell := range 16 {
		if empty>>(4*cell)&1 == 0 {
			continue
		}
		for k := 1; k == 1 || k == 2 && e.fours; k++ {
			o := choice{board: b.With(cell, k), four: k == 2}
			for slide := rules.North; slide <= rules.East; slide++ {
				if slid := o.board.Slide(e.size, slide); slid != o.board {
					o.after[o.slides] = slid
					o.slides++
				}
			}
			e.choices = append(e.choices, o)
		}
	}
	return e.choices
}

// valued returns the placements with their values, and the placement of the least value.
func (e *estimator) valued(b rules.Board) (all []choice, best *choice) {
	all = e.placements(b)
	for i := range all {
		o := &all[i]
		sum := 1.0
		for k, after := range o.after[:o.slides] {
			o.values[k] = e.of(after)
			sum += math.Exp(float64(o.values[k]))
		}
		o.value = math.Log(sum)
		if best == nil || o.value < best.value {
			best = o
		}
	}
	return all, best
}

// learn moves the value of a board towards a target.
func (e *estimator) learn(b rules.Board, target float32) {
	miss := target - e.of(b)
	for _, i := range e.numbers {
		change, c := float32(e.step*miss), &e.errors[i]
		if c.absolute > 0 {
			change = float32(change*float32(math.Abs(float64(c.sum)))) / c.absolute
		}
		e.weights[i] += change
		c.sum += miss
		c.absolute += float32(math.Abs(float64(miss)))
	}
}

// game learns along a game that begins at a board. It stops at the end of the game, or once the tiles have a sum above
// largestSum/2, and returns the number of placements.
func (e *estimator) game(b rules.Board, random *rand.Rand) (plies int) {
	for {
		_, best := e.valued(b)
		e.learn(b, float32(best.value))
		plies++
		if best.slides == 0 || best.board.Sum() > largestSum/2 {
			return plies
		}
		b = best.after[best.drawn(random)]
	}
}

// drawn draws a slide and returns its index in after. With probability uniform all slides are equally likely. Otherwise
// a slide is as likely as the number of boards to come after it is large.
func (o *choice) drawn(random *rand.Rand) int {
	const uniform = 0.3
	if random.Float64() < uniform {
		return random.IntN(o.slides)
	}
	most, total := o.values[0], 0.0
	for _, v := range o.values[1:o.slides] {
		most = max(most, v)
	}
	var shares [4]float64
	for i, v := range o.values[:o.slides] {
		shares[i] = math.Exp(float64(v - most))
		total += shares[i]
	}
	at := random.Float64() * total
	for i, s := range shares[:o.slides-1] {
		if at -= s; at < 0 {
			return i
		}
	}
	return o.slides - 1
}

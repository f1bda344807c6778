package expectimax

import (
	"math"
	"math/bits"

	"versus2048/players/searching"
	"versus2048/rules"
)

// tree is the expectimax search of boards. The value of a board is the expected score from there on, plus the
// evaluation of the leaf. It does not depend on the moves before the board.
type tree struct {
	config     Config
	size       rules.Size
	fours      bool // a 4 may be placed
	odds       odds
	evaluation searching.Evaluation
	table      transpositions

	count   *searching.Counter // of this search
	horizon int                // plies from the root to the leaves
}

func newTree(p rules.Position, c Config) *tree {
	return &tree{
		config: c, size: p.Size(), fours: p.Rules().Fours(), odds: c.Model.odds(p.Rules()),
		evaluation: c.Evaluation(p.Size()), table: newTranspositions(),
	}
}

// start prepares the search for the next move.
func (t *tree) start(stop func() bool) {
	t.count = searching.NewCounter(stop)
	t.table.forget()
}

// slid returns the value of a board after a slide, in a line of play with the given probability. slides is the number
// of slides still to look ahead. After the search has been stopped, slid returns soon, with a meaningless result.
func (t *tree) slid(b rules.Board, slides int, probability float64) float64 {
	if !t.count.Visit() {
		return 0
	}
	if t.config.Rare == 0 {
		probability = 1 // all lines are followed to the same depth
	}
	if slides == 0 || probability < t.config.Rare {
		return float64(t.evaluation.Of(b))
	}
	if value, ok := t.table.find(b, slides, probability); ok {
		return value
	}
	t.count.Expanded[t.horizon-2*slides]++
	var value float64
	if t.config.Model == Worst {
		value = t.worst(b, slides, probability)
	} else {
		value = t.mean(b, slides, probability)
	}
	if !t.count.Ended {
		t.table.keep(b, slides, probability, value)
	}
	return value
}

// mean returns the mean value of b after a placement.
func (t *tree) mean(b rules.Board, slides int, probability float64) float64 {
	cells := b.Empty(t.size)
	share, sum := 1/float64(bits.OnesCount64(cells)), 0.0
	for ; cells != 0; cells &= cells - 1 {
		cell := bits.TrailingZeros64(cells) / 4
		// The conversions forbid a combined multiplication and addition, which would round differently on some
		// processors.
		sum += float64(t.odds.two * t.placed(b.With(cell, 1), slides, probability*share*t.odds.two))
		if t.odds.four > 0 {
			sum += float64(t.odds.four * t.placed(b.With(cell, 2), slides, probability*share*t.odds.four))
		}
	}
	return sum * share
}

// worst returns the lowest value of b after a placement.
func (t *tree) worst(b rules.Board, slides int, probability float64) float64 {
	lowest := math.Inf(1)
	for cells := b.Empty(t.size); cells != 0; cells &= cells - 1 {
		cell := bits.TrailingZeros64(cells) / 4
		lowest = min(lowest, t.placed(b.With(cell, 1), slides, probability))
		if t.odds.four > 0 {
			lowest = min(lowest, t.placed(b.With(cell, 2), slides, probability))
		}
	}
	return lowest
}

// placed returns the value of a board after a placement, with at least one slide still to look ahead.
func (t *tree) placed(b rules.Board, slides int, probability float64) float64 {
	if !t.count.Visit() {
		return 0
	}
	best, mated := math.Inf(-1), true
	for m := rules.North; m <= rules.East; m++ {
		after := b.Slide(t.size, m)
		if after == b {
			continue
		}
		mated = false
		if value := t.scored(b, after) + t.slid(after, slides-1, probability); value > best { // max costs a call in browsers
			best = value
		}
	}
	if mated {
		return float64(t.config.Mated)
	}
	t.count.Expanded[t.horizon-2*slides+1]++
	return best
}

// scored returns the value of a slide's score.
func (t *tree) scored(before, after rules.Board) float64 {
	if t.config.Point == 0 {
		return 0
	}
	return float64(t.config.Point * (after.Potential() - before.Potential()))
}

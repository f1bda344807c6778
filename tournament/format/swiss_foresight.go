package format

import (
	"math"
	"slices"
)

// foresightBudget is how many pairs a search tries. It settles nearly all
// events of up to ten bots, and bounds the time for larger ones.
const foresightBudget = 1000

// foresee pairs a round of an event that has more rounds than half of its bots:
// a pairing may then leave none for later. It searches for one, the best pairs
// first, together with pairings for all later rounds. Where none is found within
// the budget it takes the best of those that were found before for this round
// and later ones, at first those of the circle method.
func (p *pairer) foresee(later int) [][2]int {
	p.budget = foresightBudget
	if found, ok := p.search(p.order, later); ok {
		slices.Reverse(found)
		p.spare = slices.Collect(slices.Chunk(found, len(p.met)/2))
	} else {
		i := p.nearest()
		p.spare[0], p.spare[i] = p.spare[i], p.spare[0]
	}
	pairs := p.spare[0]
	p.spare = p.spare[1:]
	return pairs
}

// search pairs those that are left, the first one with the opponent that suits
// it best, and then so many later rounds, depth first. It returns all pairs, the
// last one first. It fails where there is nothing to find, or when the budget is
// spent.
func (p *pairer) search(left []int, later int) ([][2]int, bool) {
	switch {
	case len(left) == 0 && later == 0:
		return nil, true
	case len(left) == 0:
		return p.search(p.order, later-1)
	}
	for _, b := range p.candidates(left) {
		pair := [2]int{left[0], b}
		if p.met[pair[0]][pair[1]] {
			continue
		}
		if p.budget--; p.budget < 0 {
			return nil, false
		}
		p.mark(pair, true)
		pairs, ok := p.search(without(left, pair), later)
		p.mark(pair, false)
		if ok {
			return append(pairs, pair), true
		}
	}
	return nil, false
}

// nearest is which of the spare pairings has the bots of like points meet: the
// one with the least sum of squared differences. The bye has less than anybody.
func (p *pairer) nearest() int {
	best, least := 0, math.Inf(1)
	for i, pairs := range p.spare {
		sum := 0.0
		for _, pair := range pairs {
			d := p.pointsOf(pair[0]) - p.pointsOf(pair[1])
			sum += d * d
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return best
}

func (p *pairer) pointsOf(bot int) float64 {
	if bot == p.bye {
		return -1
	}
	return p.points[bot]
}

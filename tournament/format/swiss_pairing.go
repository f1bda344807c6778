package format

import (
	"iter"
	"math"
	"slices"
)

// bye is the number of the bye, which takes part as one more bot in each round of an odd number of bots. Like any
// opponent, it meets every bot at most once.
const bye = -1

// pairer pairs the rounds of a Swiss event. Bots are numbers from 0, in the order of entry. A round may have more bots
// than the round before it.
type pairer struct {
	met    map[[2]int]bool // each two bots that have met, the lower number first
	bots   int             // of the last round that was prepared
	played int             // rounds
	points []float64
	order  []int      // the bots in the order for the present round, the bye last
	spare  [][][2]int // pairings for the next rounds, without a rematch; nil until pairAhead needs them
	budget int        // steps that a search may still take
}

// pair pairs the bots, given in order of their points, without a rematch. The pairing allows the given number
// of later rounds without a rematch, too. If bots have joined during the event, there may be no such pairing; pair then
// returns one with fewer such rounds, or with rematches. The pair with the bye is the last one, and has the bye second.
func (p *pairer) pair(order []int, points []float64, later int) [][2]int {
	if len(order) == 0 {
		return nil
	}
	late := p.prepare(order, points)
	for _, bot := range late { // a bot should play in its first round
		p.mark([2]int{bot, bye}, true)
	}
	var pairs [][2]int
	if n := len(p.order); n-1-p.played-later >= n/2 {
		pairs = p.pairTopDown()
	} else {
		pairs = p.pairAhead(later, late)
	}
	p.unmark(late)
	for _, pair := range pairs {
		p.mark(pair, true)
	}
	p.played++
	p.sort(pairs)
	return pairs
}

// prepare sets the bots of a round. It returns the bots that have joined since the last round.
func (p *pairer) prepare(order []int, points []float64) (late []int) {
	if p.order, p.points = order, points; len(order)%2 == 1 {
		p.order = append(slices.Clip(order), bye)
	}
	if p.played > 0 && len(order) > p.bots {
		late = slices.DeleteFunc(slices.Clone(order), func(bot int) bool { return bot < p.bots })
		p.spare = nil
	}
	p.bots = len(order)
	return late
}

// unmark forgets that these bots have had the bye.
func (p *pairer) unmark(bots []int) {
	for _, bot := range bots {
		p.mark([2]int{bot, bye}, false)
	}
}

// sort sorts the pairs of a round by the better bot's position in the order. The pair with the bye comes last.
func (p *pairer) sort(pairs [][2]int) {
	place := make([]int, len(p.points))
	for i, bot := range p.order[:p.bots] {
		place[bot] = i
	}
	rank := func(pair [2]int) int {
		if pair[1] == bye {
			return len(p.order)
		}
		return min(place[pair[0]], place[pair[1]])
	}
	slices.SortStableFunc(pairs, func(a, b [2]int) int { return rank(a) - rank(b) })
}

func (p *pairer) mark(pair [2]int, met bool) {
	key := [2]int{min(pair[0], pair[1]), max(pair[0], pair[1])}
	if met {
		p.met[key] = true
	} else {
		delete(p.met, key)
	}
}

func (p *pairer) haveMet(a, b int) bool { return p.met[[2]int{min(a, b), max(a, b)}] }

// pairTopDown gives each bot, from the top, the best remaining opponent. If the last bots have all met, they exchange
// opponents with the lowest pair that allows it. There is such a pair as long as each of the n bots has at least n/2
// opponents left. Two bots that have met then have n or more opponents together; an opponent of both counts twice. The
// other n-2 bots form n/2-1 pairs, so one pair has at least three of these opponents (as in Dirac's theorem, 1952).
func (p *pairer) pairTopDown() [][2]int {
	var pairs, rematches [][2]int
	for left := slices.Clone(p.order); len(left) > 0; {
		pair, fresh := p.best(left)
		if fresh {
			pairs = append(pairs, pair)
		} else {
			rematches = append(rematches, pair)
		}
		left = slices.DeleteFunc(left, func(c int) bool { return c == pair[0] || c == pair[1] })
	}
	for _, pair := range rematches {
		pairs = p.exchange(pairs, pair)
	}
	return pairs
}

// best pairs the first of the remaining bots with its best opponent. If the bot has met all opponents, the pair is not
// fresh.
func (p *pairer) best(left []int) (pair [2]int, fresh bool) {
	pair = [2]int{left[0], -1}
	for b := range p.candidates(left) {
		if !p.haveMet(left[0], b) {
			return [2]int{left[0], b}, true
		}
		if pair[1] < 0 {
			pair[1] = b
		}
	}
	return pair, false
}

// exchange adds a pair of bots that have met, by exchanging opponents with another pair.
func (p *pairer) exchange(pairs [][2]int, rematch [2]int) [][2]int {
	for i := len(pairs) - 1; i >= 0; i-- {
		for _, with := range [][2]int{pairs[i], {pairs[i][1], pairs[i][0]}} {
			one, other := [2]int{with[0], rematch[0]}, [2]int{with[1], rematch[1]}
			if !p.haveMet(one[0], one[1]) && !p.haveMet(other[0], other[1]) {
				pairs[i] = byeSecond(one)
				return append(pairs, byeSecond(other))
			}
		}
	}
	return append(pairs, rematch)
}

func byeSecond(pair [2]int) [2]int {
	if pair[0] == bye {
		return [2]int{pair[1], pair[0]}
	}
	return pair
}

// candidates yields the opponents for the first of the remaining bots, the best first. The bots with its points
// are split into an upper and a lower half: the first bots of both halves meet, then the second ones, and so
// on. So the best opponent is the first of the lower half. It is followed by the rest of the lower half, the
// upper half from its end, the bots with fewer points from the highest down, and the bye.
func (p *pairer) candidates(left []int) iter.Seq[int] {
	group := 0 // the number of bots with the points of the first bot
	for group < len(left) && left[group] != bye && p.points[left[group]] == p.points[left[0]] {
		group++
	}
	half := max(1, group/2)
	upper := left[1:min(half, group)]
	return func(yield func(int) bool) {
		for _, b := range left[half:group] {
			if !yield(b) {
				return
			}
		}
		for _, b := range slices.Backward(upper) {
			if !yield(b) {
				return
			}
		}
		for _, b := range left[group:] {
			if !yield(b) {
				return
			}
		}
	}
}

func without(bots []int, pair [2]int) []int {
	return slices.DeleteFunc(slices.Clone(bots), func(c int) bool { return c == pair[0] || c == pair[1] })
}

// searchBudget is the number of pairs that a search may try. It is enough for nearly all events of
// up to ten bots, and limits the time for larger ones.
const searchBudget = 1000

// lastBudget replaces searchBudget in the search for a single round, the last chance to avoid a rematch. It is enough
// for any round of up to ten bots.
const lastBudget = 10 * searchBudget

// pairAhead pairs a round of an event that has more rounds than half of its bots. In such an event a pairing may make
// rematches in later rounds inevitable. So pairAhead searches for pairings of this round and all later rounds, the best
// pairs first. If it finds none within the budget, it takes the best of the spare pairings: the last ones that it
// found, or, before that, the rounds of the circle method. Once a bot joins, the spare pairings are gone. pairAhead
// then searches for pairings of fewer later rounds, and at last of this round alone, in which late bots may have the
// bye, too. If even that fails, there are rematches.
func (p *pairer) pairAhead(later int, late []int) [][2]int {
	if p.played == 0 {
		p.spare = p.circle()
	}
	switch found := p.searchSpare(later, searchBudget); {
	case found:
	case len(p.spare) > 0:
		i := p.bestSpare()
		p.spare[0], p.spare[i] = p.spare[i], p.spare[0]
	default:
		for later > 0 && !found {
			later /= 2
			found = p.searchSpare(later, searchBudget)
		}
		if !found {
			p.unmark(late)
			found = p.searchSpare(0, lastBudget)
		}
		if !found {
			return p.pairTopDown()
		}
	}
	pairs := p.spare[0]
	p.spare = p.spare[1:]
	return pairs
}

// circle returns the rounds of the circle method.
func (p *pairer) circle() [][][2]int {
	n := len(p.order)
	pairs := roundRobinCycle(n)
	for i := range pairs {
		if pairs[i][1] == p.bots {
			pairs[i][1] = bye
		}
	}
	return slices.Collect(slices.Chunk(pairs, n/2))
}

// searchSpare searches for pairings of this round and the given number of later ones. If searchSpare finds them, they
// become the spare pairings.
func (p *pairer) searchSpare(later, budget int) bool {
	p.budget = budget
	found, ok := p.search(p.order, later)
	if ok {
		slices.Reverse(found)
		p.spare = slices.Collect(slices.Chunk(found, len(p.order)/2))
	}
	return ok
}

// search pairs the remaining bots, the first one with its best opponent, and then the given number of later rounds,
// depth first. It returns all pairs, the last one first. ok is false if there is no solution, or if the budget is
// spent.
func (p *pairer) search(left []int, later int) (pairs [][2]int, ok bool) {
	switch {
	case len(left) == 0 && later == 0:
		return nil, true
	case len(left) == 0:
		return p.search(p.order, later-1)
	}
	for b := range p.candidates(left) {
		pair := [2]int{left[0], b}
		if p.haveMet(pair[0], pair[1]) {
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

// bestSpare returns the index of the spare pairing with the most similar points of the opponents:
// the least sum of squared differences.
func (p *pairer) bestSpare() int {
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

// pointsOf returns a bot's points. The bye has fewer than any bot.
func (p *pairer) pointsOf(bot int) float64 {
	if bot == bye {
		return -1
	}
	return p.points[bot]
}

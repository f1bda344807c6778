package format

import "slices"

// pairer pairs the rounds of a swiss event. Bots are numbers from 0; where
// there is an odd number of them, the bye is one more, which everybody meets at
// most once like anybody else. So nobody has a second bye either.
type pairer struct {
	bye    int      // its number, -1 where there is none
	met    [][]bool // for each two
	played int      // rounds
	points []float64
	order  []int      // of the round that is paired, the bye last
	spare  [][][2]int // pairings of rounds to come, none with a rematch
	budget int        // steps that a search may still take
}

func newPairer(n int) *pairer {
	p := &pairer{bye: -1}
	if n%2 == 1 {
		p.bye = n
		n++
	}
	p.met = make([][]bool, n)
	for i := range p.met {
		p.met[i] = make([]bool, n)
	}
	circle := RoundRobin{Names: make([]string, n)}
	p.spare = slices.Collect(slices.Chunk(circle.cycle(), n/2))
	return p
}

// pair pairs the bots, given in order of their points, without a rematch, and
// so that later rounds, so many, can do without one as well. A pair with the
// bye is the last one, and the bye is second in it.
func (p *pairer) pair(order []int, points []float64, later int) [][2]int {
	p.order, p.points = order, points
	if p.bye >= 0 {
		p.order = append(slices.Clip(order), p.bye)
	}
	var pairs [][2]int
	if n := len(p.met); n-1-p.played-later >= n/2 {
		pairs = p.descend()
	} else {
		pairs = p.foresee(later)
	}
	for _, pair := range pairs {
		p.mark(pair, true)
	}
	p.played++
	slices.SortStableFunc(pairs, func(a, b [2]int) int { return p.rank(a) - p.rank(b) })
	return pairs
}

// rank is the place of a pair among those of its round: that of its better bot,
// but for the bye.
func (p *pairer) rank(pair [2]int) int {
	if pair[1] == p.bye {
		return len(p.order)
	}
	return min(slices.Index(p.order, pair[0]), slices.Index(p.order, pair[1]))
}

func (p *pairer) mark(pair [2]int, met bool) {
	a, b := pair[0], pair[1]
	p.met[a][b], p.met[b][a] = met, met
}

// descend gives each bot, from the top, the best opponent that is left. Those
// that are left at the end and have met are mended into the lowest pair with
// which they can exchange opponents. There is one as long as nobody has met more
// than the half of all: two bots that have at least n opponents together left, of
// n bots, have three among the two of some pair (as in Dirac's theorem, 1952).
func (p *pairer) descend() [][2]int {
	var pairs, stuck [][2]int
	for left := p.order; len(left) > 0; {
		a := left[0]
		candidates := p.candidates(left)
		i := slices.IndexFunc(candidates, func(b int) bool { return !p.met[a][b] })
		pair := [2]int{a, candidates[max(i, 0)]}
		if i < 0 {
			stuck = append(stuck, pair)
		} else {
			pairs = append(pairs, pair)
		}
		left = without(left, pair)
	}
	for _, pair := range stuck {
		pairs = p.mend(pairs, pair)
	}
	return pairs
}

// mend adds a pair that has met, by exchanging its bots with another pair's.
func (p *pairer) mend(pairs [][2]int, stuck [2]int) [][2]int {
	for i := len(pairs) - 1; i >= 0; i-- {
		for _, with := range [][2]int{pairs[i], {pairs[i][1], pairs[i][0]}} {
			one, other := [2]int{with[0], stuck[0]}, [2]int{with[1], stuck[1]}
			if !p.met[one[0]][one[1]] && !p.met[other[0]][other[1]] {
				pairs[i] = p.byeSecond(one)
				return append(pairs, p.byeSecond(other))
			}
		}
	}
	return append(pairs, stuck)
}

func (p *pairer) byeSecond(pair [2]int) [2]int {
	if pair[0] == p.bye {
		return [2]int{pair[1], pair[0]}
	}
	return pair
}

// candidates are the opponents of the first of those that are left, the best
// one first. The bots with its points are split into an upper and a lower half,
// of which the first ones meet, the second ones, and so on. So the best opponent
// is the first of the lower half; then come those below it, those above it from the
// nearest up, those with fewer points from the highest down, and the bye.
func (p *pairer) candidates(left []int) []int {
	group := 0 // bots with the points of the first
	for group < len(left) && left[group] != p.bye && p.points[left[group]] == p.points[left[0]] {
		group++
	}
	half := max(1, group/2)
	all := slices.Clone(left[half:group])
	upper := slices.Clone(left[1:min(half, group)])
	slices.Reverse(upper)
	return append(append(all, upper...), left[group:]...)
}

// without are those of the bots that are not in the pair.
func without(bots []int, pair [2]int) []int {
	return slices.DeleteFunc(slices.Clone(bots), func(c int) bool { return c == pair[0] || c == pair[1] })
}

package annoying

import (
	"cmp"
	"slices"

	"versus2048/players/searching"
	"versus2048/rules"
)

// deepening is iterative deepening at the root, by one thread. Each iteration begins with the choice of the previous
// one. If an iteration is interrupted, the result of the previous one stands.
type deepening struct {
	boards    *boardSearch
	root      rules.Position
	moves     []rootMove // the choice of the last complete iteration first
	variation []rules.Move
	depth     int // of the last complete iteration, in slides
	steady    int // number of complete iterations in a row with the same choice
}

type rootMove struct {
	move  rules.Move
	after rules.Board
	value int  // for the side to move
	exact bool // value is exact, not just a bound that shows that the move is not the best
	nodes int64
}

// newDeepening prepares a search of p by the thread of boards.
func newDeepening(boards *boardSearch, p rules.Position, moves []rules.Move) *deepening {
	d := deepening{boards: boards, root: p}
	for _, m := range moves {
		d.moves = append(d.moves, rootMove{move: m, after: p.Next(m).Board()})
	}
	if p.SideToMove() == rules.Attacker {
		d.keepAnnoying()
	}
	return &d
}

// keepAnnoying leaves only the placements with the highest rating.
func (d *deepening) keepAnnoying() {
	rating := func(m rootMove) int { return d.boards.rating.Annoyance(m.after) }
	highest := rating(slices.MaxFunc(d.moves, func(a, b rootMove) int { return cmp.Compare(rating(a), rating(b)) }))
	d.moves = slices.DeleteFunc(d.moves, func(m rootMove) bool { return rating(m) < highest })
}

// run looks the given number of slides ahead, then one more, and so on within the budget.
func (d *deepening) run(slides int, b searching.Budget) {
	d.boards.start(d.root, b.Stop)
	b.Deepen(slides, MaxDepth, d.boards.count, d.iterate)
}

// iterate looks the given number of slides ahead. If it is interrupted, it changes nothing.
func (d *deepening) iterate(slides int) (p searching.Progress) {
	d.boards.horizon = searching.Plies(d.root, slides)
	d.boards.count.Visit()
	d.boards.count.Expanded[0]++
	moves, best := slices.Clone(d.moves), 0
	var variation []rules.Move
	for i := range moves {
		m, before := &moves[i], d.boards.count.Nodes
		bound := -infinity
		if i > 0 {
			bound = moves[best].value
		}
		m.value = d.value(m, slides, bound)
		if m.nodes += d.boards.count.Nodes - before; d.boards.count.Ended {
			return p
		}
		if m.exact = m.value > bound; m.exact {
			best, variation = i, append(append(variation[:0], m.move), d.boards.variations[1]...)
		}
	}
	chosen := moves[best]
	if d.steady++; chosen.move != d.moves[0].move {
		d.steady = 1
	}
	copy(moves[1:best+1], moves)
	moves[0] = chosen
	d.moves, d.variation, d.depth = moves, variation, slides
	return searching.Progress{Depth: slides, Steady: d.steady, Decided: chosen.value >= Win || chosen.value <= -Win}
}

// value returns the value after a move for the side that makes it, without the surplus of the root (see
// searching.Surplus). If the value is at most bound, it may return an upper bound of the value instead, which is
// at most bound as well.
func (d *deepening) value(m *rootMove, slides, bound int) int {
	if d.root.SideToMove() == rules.Attacker {
		extra := d.boards.unscored(m.move)
		return plus(-d.boards.highest(m.after, slides, -infinity, plus(-bound, extra)), extra)
	}
	return d.boards.slid(m.after, slides-1, bound, infinity)
}

// known returns the moves with known values, the choice first.
func (d *deepening) known() []searching.Move {
	var known []searching.Move
	surplus := searching.Surplus(d.root, d.boards.points)
	for _, m := range d.moves {
		if !m.exact {
			continue
		}
		if d.root.SideToMove() == rules.Attacker {
			m.value = -m.value
		}
		known = append(known, searching.Move{Move: m.move, Value: float64(plus(m.value, surplus)), Visits: m.nodes})
	}
	// The search found the exact values one after the other, each better than the previous one.
	slices.Reverse(known[1:])
	return known
}

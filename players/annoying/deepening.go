package annoying

import (
	"cmp"
	"slices"

	"versus2048/players/searching"
	"versus2048/rules"
)

// deepening is iterative deepening at the root, by one thread. Each iteration begins with the choice of the
// previous one. If the iteration is interrupted, the previous result stands.
type deepening struct {
	lines     *lines
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

// deepen prepares a search of p by the thread of l.
func (l *lines) deepen(p rules.Position, moves []rules.Move) *deepening {
	d := deepening{lines: l, root: p}
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
	rating := func(m rootMove) int { return d.lines.rating.Annoyance(m.after) }
	highest := rating(slices.MaxFunc(d.moves, func(a, b rootMove) int { return cmp.Compare(rating(a), rating(b)) }))
	d.moves = slices.DeleteFunc(d.moves, func(m rootMove) bool { return rating(m) < highest })
}

// run looks first slides ahead, then one more and so on within the budget.
func (d *deepening) run(first int, b searching.Budget) {
	d.lines.start(d.root, b.Stop)
	b.Deepen(first, MaxDepth, d.lines.count, d.iterate)
}

// iterate looks the given number of slides ahead. If it is interrupted, it changes nothing.
func (d *deepening) iterate(slides int) (p searching.Progress) {
	d.lines.horizon = 2 * slides
	if d.root.SideToMove() == rules.Defender {
		d.lines.horizon--
	}
	d.lines.count.Visit()
	d.lines.count.Expanded[0]++
	moves, best := slices.Clone(d.moves), 0
	var variation []rules.Move
	for i := range moves {
		m, before := &moves[i], d.lines.count.Nodes
		bound := -infinity
		if i > 0 {
			bound = moves[best].value
		}
		m.value = d.value(m, slides, bound)
		if m.nodes += d.lines.count.Nodes - before; d.lines.count.Ended {
			return p
		}
		if m.exact = m.value > bound; m.exact {
			best, variation = i, append(append(variation[:0], m.move), d.lines.variations[1]...)
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
// lines.surplus). If the value is not above bound, it returns some bound of the value that is not above bound
// either.
func (d *deepening) value(m *rootMove, slides, bound int) int {
	if d.root.SideToMove() == rules.Attacker {
		extra := d.lines.unscored(m.move)
		return plus(-d.lines.highest(m.after, slides, -infinity, plus(-bound, extra)), extra)
	}
	return d.lines.slid(m.after, slides-1, bound, infinity)
}

// known returns the moves with known values, the choice first.
func (d *deepening) known() []searching.Move {
	var known []searching.Move
	surplus := searching.Surplus(d.root, d.lines.points)
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

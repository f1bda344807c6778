package players

import (
	"cmp"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// tree is a search of the tree below a root.
type tree interface {
	// value is the minimax value of p, that many plies ahead, if it lies between
	// alpha and beta, else a bound on the same side of them.
	value(p rules.Position, plies, alpha, beta int) int
	// appendVariation appends what both sides were found to play from p on, as
	// far as it is known, after a search that found p's value.
	appendVariation(dst []rules.Move, p rules.Position, plies int) []rules.Move
}

// deepening is iterative deepening at the root: what each iteration finds puts
// the next one's moves in order, and is what is left if that one is cut short.
// Of equal moves it chooses the first of those it was given.
type deepening struct {
	*visits
	tree      tree
	root      rules.Position
	moves     []rootMove // as the last whole iteration left them, its choice first
	spare     []rootMove // room for the next one's
	variation []rules.Move
}

// rootMove is a move at the root.
type rootMove struct {
	move  rules.Move
	order int
	value int // for the side to move, or no more than that
	exact bool
	nodes int64
}

func newDeepening(p rules.Position, moves []rules.Move, t tree, v *visits) *deepening {
	d := deepening{visits: v, tree: t, root: p, moves: make([]rootMove, len(moves))}
	for i, m := range moves {
		d.moves[i] = rootMove{move: m, order: i}
	}
	return &d
}

// run looks as many slides ahead, or as far as there is time, one at least.
func (d *deepening) run(slides int) {
	for n := 1; n <= slides && (n == 1 || !d.expired()) && !d.ended; n++ {
		d.iterate(n)
	}
}

// iterate looks that many slides ahead. If it is cut short it changes nothing;
// an iteration of one slide is over before anyone looks at the clock.
func (d *deepening) iterate(slides int) {
	d.horizon = 2 * slides
	if d.root.SideToMove() == rules.Defender {
		d.horizon--
	}
	d.nodes++
	d.expand(d.horizon)
	moves, best := append(d.spare[:0], d.moves...), 0
	for i := range moves {
		need := -infinity
		if i > 0 {
			need = moves[best].toBeat(&moves[i])
		}
		if d.search(&moves[i], need); d.ended {
			return
		}
		if moves[i].exact {
			best = i
		}
	}
	chosen := moves[best]
	copy(moves[1:best+1], moves)
	moves[0] = chosen
	d.moves, d.spare = moves, d.moves
	d.variation = d.tree.appendVariation(append(d.variation[:0], chosen.move), d.root.Next(chosen.move), d.horizon-1)
}

// toBeat is the least value with which other is chosen instead of m.
func (m *rootMove) toBeat(other *rootMove) int {
	if other.order < m.order {
		return m.value
	}
	return m.value + 1
}

// search finds m's value if that is need or more, and else that it is not.
func (d *deepening) search(m *rootMove, need int) {
	before := d.nodes
	m.exact = need == -infinity
	if !m.exact {
		m.value = d.value(m.move, need-1, need)
		m.exact = m.value >= need
	}
	if m.exact {
		m.value = d.value(m.move, need-1, infinity)
	}
	m.nodes += d.nodes - before
}

// value is the value after a move for the side that makes it.
func (d *deepening) value(m rules.Move, alpha, beta int) int {
	if d.root.SideToMove() == rules.Attacker {
		return -d.tree.value(d.root.Next(m), d.horizon-1, -beta, -alpha)
	}
	return d.tree.value(d.root.Next(m), d.horizon-1, alpha, beta)
}

// best are the moves whose values are known, the choice first.
func (d *deepening) best() []record.RootMove {
	known := slices.DeleteFunc(slices.Clone(d.moves), func(m rootMove) bool { return !m.exact })
	slices.SortStableFunc(known, func(a, b rootMove) int { return cmp.Compare(b.value, a.value) })
	best := make([]record.RootMove, len(known))
	for i, m := range known {
		if d.root.SideToMove() == rules.Attacker {
			m.value = -m.value
		}
		best[i] = record.RootMove{Move: m.move, Value: float64(m.value), Visits: m.nodes}
	}
	return best
}

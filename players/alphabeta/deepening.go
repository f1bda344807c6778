package alphabeta

import (
	"cmp"
	"slices"

	"versus2048/rules"
)

// infinity is larger than any evaluation.
const infinity = 1 << 30

// tree is a search of the tree below a root.
type tree interface {
	// value returns the minimax value of p, searched the given number of plies ahead, if it lies
	// between alpha and beta, and otherwise a bound on the same side of them.
	value(p rules.Position, plies, alpha, beta int) int
	// appendVariation appends the principal variation from p on, as far as it is known, after a search
	// that found the value of p.
	appendVariation(dst []rules.Move, p rules.Position, plies int) []rules.Move
}

// deepening is iterative deepening at the root. Each iteration puts the moves in order for the next
// one, and its result stands if the next one is cut short. Of equal moves it chooses the first in the
// order in which they were given.
type deepening struct {
	count     *counter
	tree      tree
	root      rules.Position
	moves     []rootMove // in the order after the last complete iteration, its choice first
	spare     []rootMove // memory for the moves of the next iteration
	variation []rules.Move
}

// rootMove is a move at the root.
type rootMove struct {
	move  rules.Move
	order int // its index in the given order
	value int // for the side to move; an upper bound unless exact
	exact bool
	nodes int64
}

func newDeepening(p rules.Position, moves []rules.Move, t tree, count *counter) *deepening {
	d := deepening{count: count, tree: t, root: p, moves: make([]rootMove, len(moves))}
	for i, m := range moves {
		d.moves[i] = rootMove{move: m, order: i}
	}
	return &d
}

// run looks the given number of slides ahead, or fewer if time runs out, but at least one.
func (d *deepening) run(slides int) {
	for n := 1; n <= slides && (n == 1 || !d.count.stop()) && !d.count.ended; n++ {
		d.iterate(n)
	}
}

// iterate looks the given number of slides ahead. It changes nothing if it is cut short. One slide
// ahead it never is: that takes too few positions.
func (d *deepening) iterate(slides int) {
	d.count.horizon = 2 * slides
	if d.root.SideToMove() == rules.Defender {
		d.count.horizon--
	}
	d.count.nodes++
	d.count.expand(d.count.horizon)
	moves, best := append(d.spare[:0], d.moves...), 0
	for i := range moves {
		need := -infinity
		if i > 0 {
			need = moves[best].toBeat(&moves[i])
		}
		if d.search(&moves[i], need); d.count.ended {
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
	d.variation = d.tree.appendVariation(
		append(d.variation[:0], chosen.move), d.root.Next(chosen.move), d.count.horizon-1)
}

// toBeat returns the smallest value of other at which it is chosen instead of m.
func (m *rootMove) toBeat(other *rootMove) int {
	if other.order < m.order {
		return m.value
	}
	return m.value + 1
}

// search finds the value of m if that is need or more, and otherwise an upper bound below need.
func (d *deepening) search(m *rootMove, need int) {
	before := d.count.nodes
	m.exact = need == -infinity
	if !m.exact {
		m.value = d.value(m.move, need-1, need)
		m.exact = m.value >= need
	}
	if m.exact {
		m.value = d.value(m.move, need-1, infinity)
	}
	m.nodes += d.count.nodes - before
}

// value returns the value after a move, for the side that makes it.
func (d *deepening) value(m rules.Move, alpha, beta int) int {
	if d.root.SideToMove() == rules.Attacker {
		return -d.tree.value(d.root.Next(m), d.count.horizon-1, -beta, -alpha)
	}
	return d.tree.value(d.root.Next(m), d.count.horizon-1, alpha, beta)
}

// known returns the moves whose values are known, the choice first.
func (d *deepening) known() []MoveStats {
	exact := slices.DeleteFunc(slices.Clone(d.moves), func(m rootMove) bool { return !m.exact })
	slices.SortStableFunc(exact, func(a, b rootMove) int { return cmp.Compare(b.value, a.value) })
	known := make([]MoveStats, len(exact))
	for i, m := range exact {
		if d.root.SideToMove() == rules.Attacker {
			m.value = -m.value
		}
		known[i] = MoveStats{Move: m.move, Value: m.value, Nodes: m.nodes}
	}
	return known
}

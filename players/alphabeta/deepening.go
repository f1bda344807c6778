package alphabeta

import (
	"cmp"
	"slices"

	"versus2048/players/searching"
	"versus2048/rules"
)

// infinity is larger than any value.
const infinity = 1 << 30

// Mated sets the values of mates that count by their distance: a mated root has the value -Mated, a mate one ply
// below the root 1-Mated, and so on.
const Mated = 500_000_000

// decided reports whether v is the value of a mate by distance.
func decided(v int) bool { return v < maxPlies-Mated }

// tree is a search of the tree below a root.
type tree interface {
	// value returns the minimax value of p, searched the given number of plies ahead, if the value is between
	// alpha and beta. Otherwise it returns a bound on the same side of them. ply is the number of plies from
	// the root to p.
	value(p rules.Position, plies, ply, alpha, beta int) int
	// appendVariation appends the principal variation from p on, as far as it is known. The search must have
	// found the value of p before.
	appendVariation(dst []rules.Move, p rules.Position, plies int) []rules.Move
}

// deepening is iterative deepening at the root. Each iteration puts the moves in order for the next one. Of
// equal moves it chooses the first one in the given order.
type deepening struct {
	count     *searching.Counter
	tree      tree
	config    *Config
	underway  *underway // nil for a single thread
	root      rules.Position
	moves     []rootMove // in the order after the last iteration, the best move first
	spare     []rootMove // memory for the moves of the next iteration
	variation []rules.Move
	depth     int // of the last complete iteration, in slides
	steady    int // number of complete iterations in a row with the same choice
}

type rootMove struct {
	move  rules.Move
	order int // its index in the given order
	value int // for the side to move; an upper bound unless exact
	exact bool
	nodes int64
}

func newDeepening(p rules.Position, moves []rules.Move, t tree, count *searching.Counter, c *Config) *deepening {
	d := deepening{count: count, tree: t, config: c, root: p, moves: make([]rootMove, len(moves))}
	for i, m := range moves {
		d.moves[i] = rootMove{move: m, order: i}
	}
	return &d
}

// over reports whether the best move leads to a mate that the search has found.
func (d *deepening) over() bool {
	v := d.moves[0].value
	if d.root.SideToMove() == rules.Attacker {
		v = -v
	}
	return d.config.Hurry && decided(v)
}

// iterate looks the given number of slides ahead. A search of one slide is always finished, since it visits too few
// positions to be interrupted. An interrupted iteration counts only with reductions, and only if it has searched the
// first move.
func (d *deepening) iterate(slides int) (p searching.Progress) {
	plies := searching.Plies(d.root, slides)
	d.count.Nodes++
	d.count.Expanded[0]++
	moves, best := append(d.spare[:0], d.moves...), 0
	for i := range moves {
		moves[i].exact = false // the value from an earlier depth is not comparable
	}
	untried, later := uint64(1)<<len(moves)-1, deferred{}
	for later.more(&untried) {
		i := takeLowest(&untried)
		after := d.root.Next(moves[i].move).Board()
		if i > 0 && later.defers(i, d.underway, after, plies-1) {
			continue
		}
		need := -infinity
		if i > 0 {
			need = moves[best].toBeat(&moves[i])
		}
		d.underway.begin(after, plies-1)
		better := d.search(&moves[i], need, plies)
		d.underway.end(after, plies-1)
		if d.count.Ended && (i == 0 || !d.config.Reductions) {
			return p
		}
		if better {
			best = i
		}
		if d.count.Ended {
			break
		}
	}
	d.conclude(moves, best, plies)
	if !d.count.Ended {
		d.depth = slides
	}
	return searching.Progress{Depth: slides, Steady: d.steady, Decided: d.over()}
}

// conclude stores the results of an iteration.
func (d *deepening) conclude(moves []rootMove, best, plies int) {
	chosen := moves[best]
	if d.steady++; chosen.move != d.moves[0].move {
		d.steady = 1
	}
	copy(moves[1:best+1], moves)
	moves[0] = chosen
	d.moves, d.spare = moves, d.moves
	counted := *d.count // without the positions that appendVariation searches again
	d.variation = d.tree.appendVariation(append(d.variation[:0], chosen.move), d.root.Next(chosen.move), plies-1)
	*d.count = counted
}

// toBeat returns the smallest value of other that makes it the choice instead of m.
func (m *rootMove) toBeat(other *rootMove) int {
	if other.order < m.order {
		return m.value
	}
	return m.value + 1
}

// search sets m.value to the value of m if that is need or more, and otherwise to an upper bound below need. It reports
// whether the value is known to be need or more. Unless need is -infinity, a search with an empty window comes before
// the search with an open window. If the second search is stopped, m.value is the lower bound that the first one has
// found. With reductions, the two may contradict each other; the open window is right.
func (d *deepening) search(m *rootMove, need, plies int) (better bool) {
	before := d.count.Nodes
	defer func() { m.nodes += d.count.Nodes - before }()
	if need > -infinity {
		v := d.value(m.move, plies, need-1, need)
		if d.count.Ended {
			return false
		}
		if m.value, m.exact = v, false; v < need {
			return false
		}
	}
	v := d.value(m.move, plies, need-1, infinity)
	if d.count.Ended {
		m.exact = true
		return need > -infinity
	}
	m.value, m.exact = v, v >= need
	return m.exact
}

// value returns the value after a move, for the side that makes it.
func (d *deepening) value(m rules.Move, plies, alpha, beta int) int {
	if d.root.SideToMove() == rules.Attacker {
		return -d.tree.value(d.root.Next(m), plies-1, 1, -beta, -alpha)
	}
	return d.tree.value(d.root.Next(m), plies-1, 1, alpha, beta)
}

// known returns the moves with known values, the choice first.
func (d *deepening) known() []searching.Move {
	exact := slices.DeleteFunc(slices.Clone(d.moves), func(m rootMove) bool { return !m.exact })
	slices.SortStableFunc(exact, func(a, b rootMove) int { return cmp.Compare(b.value, a.value) })
	known := make([]searching.Move, len(exact))
	for i, m := range exact {
		if d.root.SideToMove() == rules.Attacker {
			m.value = -m.value
		}
		known[i] = searching.Move{Move: m.move, Value: float64(m.value), Visits: m.nodes}
		if d.config.Hurry && decided(m.value) {
			known[i].Mate = m.value + Mated
		}
	}
	return known
}

package expectimax

import (
	"cmp"
	"slices"

	"versus2048/players/searching"
	"versus2048/rules"
)

// deepening is iterative deepening at the root. Expectimax cannot prune moves that are worse than the best so
// far, so an iteration takes many times as long as the previous one. Therefore the results of an interrupted
// iteration count, too.
type deepening struct {
	tree  *tree
	root  rules.Position
	moves []rootMove // the best of the last iteration first
}

type rootMove struct {
	move   rules.Move
	after  rules.Position
	value  float64
	slides int // number of slides that the value looks ahead
	nodes  int64
}

func newDeepening(p rules.Position, moves []rules.Move, t *tree) *deepening {
	d := deepening{tree: t, root: p, moves: make([]rootMove, len(moves))}
	for i, m := range moves {
		d.moves[i] = rootMove{move: m, after: p.Next(m)}
	}
	return &d
}

// iterate looks the given number of slides ahead for each move in turn. It does not count steady depths: even an
// interrupted depth is useful, so a search uses all of its time.
func (d *deepening) iterate(slides int) searching.Progress {
	d.tree.horizon = searching.Plies(d.root, slides)
	d.tree.count.Visit()
	d.tree.count.Expanded[0]++
	for i := range d.moves {
		m, before := &d.moves[i], d.tree.count.Nodes
		value := d.value(m.after, slides)
		m.nodes += d.tree.count.Nodes - before
		if d.tree.count.Ended {
			break
		}
		m.value, m.slides = value, slides
	}
	slices.SortStableFunc(d.moves, d.compare)
	return searching.Progress{Depth: slides}
}

// value returns the value after a move, including the score so far.
func (d *deepening) value(after rules.Position, slides int) float64 {
	score := float64(d.tree.config.Point * after.Score())
	if d.root.SideToMove() == rules.Attacker {
		return score + d.tree.placed(after.Board(), slides, 1)
	}
	return score + d.tree.slid(after.Board(), slides-1, 1)
}

// compare puts moves with deeper values first, then moves with better values.
func (d *deepening) compare(a, b rootMove) int {
	better := cmp.Compare(b.value, a.value)
	if d.root.SideToMove() == rules.Attacker {
		better = -better
	}
	return cmp.Or(cmp.Compare(b.slides, a.slides), better)
}

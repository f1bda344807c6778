package puct

import (
	"slices"

	"versus2048/players/searching"
	"versus2048/rules"
)

// Result returns the result of the last search. Choice must have been called. The values are expected final
// scores in points. The moves are the visited ones, the most visited first, with priors that include any noise.
// The variation is the chosen move, then the moves with the most visits.
func (s *Search) Result() searching.Result {
	r := s.tree.result(s.scale)
	for e := s.chosen; e != none; {
		r.Variation = append(r.Variation, rules.Move(s.tree.edges[e].action))
		i := s.tree.edges[e].node
		if e = none; i != none && s.tree.nodes[i].visits > 1 && s.tree.nodes[i].degree > 0 {
			e = s.tree.best(i)
		}
	}
	return r
}

// Value returns the expected final score at the root, in points.
func (s *Search) Value() float64 { return s.scale.Points(s.tree.nodes[0].mean()) }

// Visits adds the visits of each move at the root to counts, by Index.
func (s *Search) Visits(counts []uint16) {
	for _, e := range s.tree.edgesOf(0) {
		counts[Index(rules.Move(e.action), s.positions[0].Size())] += uint16(s.tree.visits(e))
	}
}

// result returns the result in a tree. Its moves are the actions at the root.
func (t *tree) result(scale Scale) searching.Result {
	r := searching.Result{Nodes: int64(len(t.nodes))}
	t.countExpanded(0, 0, &r.Expanded)
	edges := slices.Clone(t.edgesOf(0))
	slices.SortStableFunc(edges, func(a, b edge) int { return t.compare(0, b, a) })
	for _, e := range edges {
		if n := t.visits(e); n > 0 {
			r.Moves = append(r.Moves, searching.Move{
				Move: rules.Move(e.action), Value: scale.Points(t.nodes[e.node].mean()), Visits: int64(n), Prior: float64(e.prior),
			})
		}
	}
	return r
}

// countExpanded counts the nodes with edges by depth, from a node at the given depth down.
func (t *tree) countExpanded(i int32, depth int, counts *[]int64) {
	if t.nodes[i].degree == 0 {
		return
	}
	if len(*counts) <= depth {
		*counts = append(*counts, 0)
	}
	(*counts)[depth]++
	for _, e := range t.edgesOf(i) {
		if e.node != none {
			t.countExpanded(e.node, depth+1, counts)
		}
	}
}

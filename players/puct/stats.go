package puct

import (
	"slices"

	"versus2048/rules"
)

// Stats describes the last search.
type Stats struct {
	Simulations int          // made
	Nodes       int          // positions in the tree
	Expanded    []int64      // rated positions, by plies below the root
	Variation   []rules.Move // the chosen move, then the moves with the most visits
	Moves       []MoveStats  // the moves at the root that were visited, the most visited first
}

// MoveStats is the result of a search for a move at the root.
type MoveStats struct {
	Move   rules.Move
	Value  float64 // the expected final score in points
	Visits int64   // simulations that began with the move
	Prior  float64 // its probability by the policy, 0 to 1, including any noise
}

// Stats returns the statistics of the last search. Choice must have been called.
func (s *Search) Stats() Stats {
	st := s.tree.stats(s.scale)
	st.Simulations = s.made
	for e := s.chosen; e != none; {
		st.Variation = append(st.Variation, rules.Move(s.tree.edges[e].action))
		i := s.tree.edges[e].node
		if e = none; i != none && s.tree.nodes[i].visits > 1 && s.tree.nodes[i].degree > 0 {
			e = s.tree.best(i)
		}
	}
	return st
}

// Value returns the expected final score at the root, in points.
func (s *Search) Value() float64 { return s.scale.Points(s.tree.nodes[0].mean()) }

// Visits adds the visits of each move at the root to counts, by Index.
func (s *Search) Visits(counts []uint16) {
	for _, e := range s.tree.edgesOf(0) {
		counts[Index(rules.Move(e.action), s.positions[0].Size())] += uint16(s.tree.visits(e))
	}
}

// stats returns the statistics of a tree. The actions at its root must be moves.
func (t *tree) stats(scale Scale) Stats {
	s := Stats{Nodes: len(t.nodes)}
	t.countExpanded(0, 0, &s.Expanded)
	edges := slices.Clone(t.edgesOf(0))
	slices.SortStableFunc(edges, func(a, b edge) int { return t.compare(0, b, a) })
	for _, e := range edges {
		if n := t.visits(e); n > 0 {
			s.Moves = append(s.Moves, MoveStats{
				Move: rules.Move(e.action), Value: scale.Points(t.nodes[e.node].mean()), Visits: int64(n), Prior: float64(e.prior),
			})
		}
	}
	return s
}

// countExpanded counts the nodes with edges, from a node down.
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

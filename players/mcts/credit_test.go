package mcts

import (
	"slices"
	"testing"

	"versus2048/rules"
)

// TestSharedBookkeeping recomputes the data of every node by brute force. Each playout counts once for each
// node that could reach its leaf when it was made. If chance places the tiles, it counts for each node of its
// path.
func TestSharedBookkeeping(t *testing.T) {
	for _, c := range []Config{shared, canonical} {
		for _, r := range rules.Rulesets() {
			p := rules.NewPosition(r, rules.Size{Width: 3, Height: 2})
			s := newTestSearch(c, p, 12)
			visits, totals := map[int32]int32{}, map[int32]float64{}
			for range 400 {
				before := len(s.graph.children)
				leaf, reward := s.playout()
				for i := range s.graph.nodes {
					credited := reaches(&s.graph, int32(i), leaf, before)
					if r.Chance() {
						credited = slices.Contains(s.descent.path, int32(i))
					}
					if credited {
						visits[int32(i)]++
						totals[int32(i)] += reward
					}
				}
			}
			for i, n := range s.graph.nodes {
				if n.visits != visits[int32(i)] || n.total != totals[int32(i)] {
					t.Fatalf("%v, node %d: %d visits, total %v; want %d, %v",
						r, i, n.visits, n.total, visits[int32(i)], totals[int32(i)])
				}
			}
			if s.graph.nodes[0].visits != 400 {
				t.Errorf("%v: the root has %d visits, want 400", r, s.graph.nodes[0].visits)
			}
		}
	}
}

// reaches reports whether node i can reach node to by the first edges.
func reaches(g *graph, i, to int32, edges int) bool {
	if i == to {
		return true
	}
	if g.degrees[i] == 0 || int(g.nodes[i].firstEdge) >= edges {
		return false
	}
	for _, child := range g.childrenOf(i) {
		if reaches(g, child, to, edges) {
			return true
		}
	}
	return false
}

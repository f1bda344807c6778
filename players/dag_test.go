package players

import (
	"testing"

	"versus2048/rules"
)

// TestSharedBookkeeping recomputes by brute force what every node must hold:
// each playout counts once for each node from which its leaf can be reached by
// the edges there were at the time.
func TestSharedBookkeeping(t *testing.T) {
	for _, spec := range []string{"dag", "dag:canonical=true"} {
		for _, r := range rules.Rulesets() {
			p := rules.NewPosition(r, rules.Size{Width: 3, Height: 2})
			s := newTestSearch(t, spec, p, 12)
			visits, totals := map[int32]int32{}, map[int32]float64{}
			for range 400 {
				before := len(s.edges)
				leaf, reward := s.step()
				for i := range s.nodes {
					if reaches(&s.graph, int32(i), leaf, before) {
						visits[int32(i)]++
						totals[int32(i)] += reward
					}
				}
			}
			for i, n := range s.stats {
				if n.visits != visits[int32(i)] || n.total != totals[int32(i)] {
					t.Fatalf("%v, node %d: %d visits, total %v; want %d, %v",
						r, i, n.visits, n.total, visits[int32(i)], totals[int32(i)])
				}
			}
			if s.stats[0].visits != 400 {
				t.Errorf("%v: the root has %d visits, want 400", r, s.stats[0].visits)
			}
		}
	}
}

// reaches tells whether to can be reached from node i by the first edges.
func reaches(g *graph, i, to int32, edges int) bool {
	n := &g.nodes[i]
	if i == to {
		return true
	}
	if n.degree == 0 || int(n.firstEdge) >= edges {
		return false
	}
	for _, e := range g.children(n) {
		if reaches(g, e.child, to, edges) {
			return true
		}
	}
	return false
}

// TestSharing checks that equal positions share a node, and that a tree keeps
// them apart.
func TestSharing(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2016, rules.Size{Width: 3, Height: 3})
	for spec, shares := range map[string]bool{"mcts": false, "dag": true, "dag:canonical=true": true} {
		s := newTestSearch(t, spec, p, 13)
		for range 2000 {
			s.step()
		}
		seen, parents := map[rules.Position]bool{}, 0
		for _, n := range s.nodes {
			position := n.position
			if s.canonical {
				position = position.Canonical()
			}
			if shares && seen[position] {
				t.Fatalf("%s: %v has two nodes", spec, n.position)
			}
			seen[position] = true
			parents += int(n.parents)
		}
		switch shared := parents > len(s.nodes)-1; {
		case shared != shares:
			t.Errorf("%s: %d nodes have %d parents", spec, len(s.nodes), parents)
		case !shares && len(seen) == len(s.nodes):
			t.Errorf("%s: no position was met twice", spec)
		}
		if shares && parents != len(s.edges) {
			t.Errorf("%s: %d edges, but %d parents", spec, len(s.edges), parents)
		}
	}
}

// TestCanonicalEdges checks that an edge stands for all moves to its child.
func TestCanonicalEdges(t *testing.T) {
	p := rules.NewPosition(rules.Solo, rules.Full)
	s := newTestSearch(t, "dag:canonical=true", p, 14)
	root := &s.nodes[0]
	if root.degree != 6 {
		t.Errorf("%d children of the empty board, want 6: corner, edge or centre, 2 or 4", root.degree)
	}
	weight := 0
	for _, e := range s.children(root) {
		weight += int(e.weight)
	}
	if weight != 160 {
		t.Errorf("the children weigh %d together, want 16 cells of 9+1", weight)
	}
}

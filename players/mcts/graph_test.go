package mcts

import (
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestNodeLimit checks that a search continues without growing beyond its limit.
func TestNodeLimit(t *testing.T) {
	for name, c := range named {
		c.Nodes, c.ExpandAt = 300, 1
		s := newTestSearch(c, rules.NewPosition(rules.GPCC2016, rules.Full), 15)
		for range 2000 {
			s.playout()
		}
		if n := len(s.graph.nodes); n > 300 || n < 300-mostMoves {
			t.Errorf("%s: %d nodes", name, n)
		}
		if s.graph.stats[0].visits != 2000 {
			t.Errorf("%s: %d playouts, want 2000", name, s.graph.stats[0].visits)
		}
	}
}

// TestNoAllocation checks that a search allocates nothing once its memory has grown.
func TestNoAllocation(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	for name, c := range named {
		s := newTestSearch(c, p, 16)
		search := func() {
			*s.descent.random = playout.NewGenerator(16)
			s.start(p, s.descent.random)
			for range 1000 {
				s.playout()
			}
		}
		search()
		if n := testing.AllocsPerRun(3, search); n > 0 {
			t.Errorf("%s: %v allocations in a search", name, n)
		}
	}
}

// TestReroot checks that the next search starts with everything that the last one knew below the new
// root.
func TestReroot(t *testing.T) {
	for name, c := range named {
		c.ExpandAt = 1
		p := searchtest.Position(t, rules.GPCC2015, "2,4,2,0/0,2,0,0/0,0,0,0/0,0,0,2 D")
		s := newTestSearch(c, p, 17)
		for range 3000 {
			s.playout()
		}
		known := map[rules.Position]stat{}
		for i, n := range s.graph.nodes {
			if s.graph.table != nil {
				known[n.position] = s.graph.stats[i]
			}
		}
		child := s.graph.children(&s.graph.nodes[0])[0].child
		next := s.graph.nodes[s.graph.children(&s.graph.nodes[child])[0].child].position
		want := *s.stat(next)
		if !s.reroot(next, s.descent.random) {
			t.Fatalf("%s: %v is not known", name, next)
		}
		if s.graph.stats[0] != want {
			t.Errorf("%s: the new root has %+v, want %+v", name, s.graph.stats[0], want)
		}
		for i, n := range s.graph.nodes {
			if s.graph.table != nil && s.graph.stats[i] != known[n.position] {
				t.Fatalf("%s: %v has %+v, had %+v", name, n.position, s.graph.stats[i], known[n.position])
			}
			if n.position.Ply() < next.Ply() {
				t.Fatalf("%s: %v is not below the new root", name, n.position)
			}
		}
		checkSums(t, name, &s)
		for range 1000 {
			s.playout()
		}
		checkSums(t, name, &s)
		if s.graph.stats[0].visits != want.visits+1000 {
			t.Errorf("%s: %d visits after 1000 more than %d", name, s.graph.stats[0].visits, want.visits)
		}
		if s.reroot(p, s.descent.random) {
			t.Errorf("%s: went back to the old root", name)
		}
	}
}

// stat returns the statistics of the most visited node of p.
func (s *testSearch) stat(p rules.Position) *stat { return &s.graph.stats[s.graph.mostVisited(p)] }

// checkSums checks that no node of a tree has fewer playouts than its children together. Where nodes
// are shared a child may have had more than a new parent.
func checkSums(t *testing.T, name string, s *testSearch) {
	t.Helper()
	if s.graph.table != nil {
		return
	}
	for i := range s.graph.nodes {
		sum := int32(0)
		for _, e := range s.graph.children(&s.graph.nodes[i]) {
			sum += s.graph.stats[e.child].visits
		}
		if sum > s.graph.stats[i].visits {
			t.Fatalf("%s: node %d has %d visits, its children %d", name, i, s.graph.stats[i].visits, sum)
		}
	}
}

// TestSharing checks that equal positions share a node in a graph, and do not in a tree.
func TestSharing(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2016, rules.Size{Width: 3, Height: 3})
	for name, c := range named {
		s, shares := newTestSearch(c, p, 13), c.Share
		for range 2000 {
			s.playout()
		}
		seen, parents := map[rules.Position]bool{}, 0
		for _, n := range s.graph.nodes {
			position := n.position
			if s.graph.canonical {
				position = position.Canonical()
			}
			if shares && seen[position] {
				t.Fatalf("%s: %v has two nodes", name, n.position)
			}
			seen[position] = true
			parents += int(n.parents)
		}
		switch found := parents > len(s.graph.nodes)-1; {
		case found != shares:
			t.Errorf("%s: %d nodes have %d parents", name, len(s.graph.nodes), parents)
		case !shares && len(seen) == len(s.graph.nodes):
			t.Errorf("%s: no position was met twice", name)
		}
		if shares && parents != len(s.graph.edges) {
			t.Errorf("%s: %d edges, but %d parents", name, len(s.graph.edges), parents)
		}
	}
}

// TestCanonicalEdges checks that an edge stands for all moves to its child.
func TestCanonicalEdges(t *testing.T) {
	p := rules.NewPosition(rules.Solo, rules.Full)
	s := newTestSearch(canonical, p, 14)
	root := &s.graph.nodes[0]
	if root.degree != 6 {
		t.Errorf("%d children of the empty board, want 6: corner, edge or centre, 2 or 4", root.degree)
	}
	weight := 0
	for _, e := range s.graph.children(root) {
		weight += int(e.weight)
	}
	if weight != 160 {
		t.Errorf("the children weigh %d together, want 16 cells of 9+1", weight)
	}
}

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
		if s.graph.nodes[0].visits != 2000 {
			t.Errorf("%s: %d playouts, want 2000", name, s.graph.nodes[0].visits)
		}
	}
}

// TestNoAllocation checks that a search allocates nothing after its memory has grown.
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

// TestReroot checks that the next search starts with all results that the last one had below the new root.
func TestReroot(t *testing.T) {
	for name, c := range named {
		c.ExpandAt = 1
		p := searchtest.Position(t, rules.GPCC2015, "2,4,2,0/0,2,0,0/0,0,0,0/0,0,0,2 D")
		s := newTestSearch(c, p, 17)
		for range 3000 {
			s.playout()
		}
		known := map[rules.Position]node{}
		for i, p := range s.graph.positions {
			if s.graph.table != nil {
				known[p] = s.result(int32(i))
			}
		}
		child := s.graph.childrenOf(0)[0]
		next := s.graph.positions[s.graph.childrenOf(child)[0]]
		want := s.result(s.graph.mostVisited(next))
		if !s.reroot(next, s.descent.random) {
			t.Fatalf("%s: %v is not known", name, next)
		}
		if got := s.result(0); got != want {
			t.Errorf("%s: the new root has %+v, want %+v", name, got, want)
		}
		for i, p := range s.graph.positions {
			if got := s.result(int32(i)); s.graph.table != nil && got != known[p] {
				t.Fatalf("%s: %v has %+v, had %+v", name, p, got, known[p])
			}
			if p.Ply() < next.Ply() {
				t.Fatalf("%s: %v is not below the new root", name, p)
			}
		}
		checkSums(t, name, &s)
		for range 1000 {
			s.playout()
		}
		checkSums(t, name, &s)
		if s.graph.nodes[0].visits != want.visits+1000 {
			t.Errorf("%s: %d visits after 1000 more than %d", name, s.graph.nodes[0].visits, want.visits)
		}
		if s.reroot(p, s.descent.random) {
			t.Errorf("%s: went back to the old root", name)
		}
	}
}

// result returns a node without its place among the edges.
func (s *testSearch) result(i int32) node {
	n := s.graph.nodes[i]
	n.firstEdge = 0
	return n
}

// checkSums checks that no node of a tree has fewer playouts than its children together. If nodes are shared, a
// child may have had more playouts than a new parent.
func checkSums(t *testing.T, name string, s *testSearch) {
	t.Helper()
	if s.graph.table != nil {
		return
	}
	for i := range s.graph.nodes {
		sum := int32(0)
		for _, child := range s.graph.childrenOf(int32(i)) {
			sum += s.graph.nodes[child].visits
		}
		if sum > s.graph.nodes[i].visits {
			t.Fatalf("%s: node %d has %d visits, its children %d", name, i, s.graph.nodes[i].visits, sum)
		}
	}
}

// TestSharing checks that equal positions share a node in a graph, but not in a tree.
func TestSharing(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2016, rules.Size{Width: 3, Height: 3})
	for name, c := range named {
		s, shares := newTestSearch(c, p, 13), c.Share
		for range 2000 {
			s.playout()
		}
		seen, parents := map[rules.Position]bool{}, 0
		for i, p := range s.graph.positions {
			position := p
			if s.graph.canonical {
				position = position.Canonical()
			}
			if shares && seen[position] {
				t.Fatalf("%s: %v has two nodes", name, p)
			}
			seen[position] = true
			if shares {
				parents += len(s.graph.parentsOf(int32(i)))
			}
		}
		switch found := parents > len(s.graph.nodes)-1; {
		case found != shares:
			t.Errorf("%s: %d nodes have %d parents", name, len(s.graph.nodes), parents)
		case !shares && len(seen) == len(s.graph.nodes):
			t.Errorf("%s: no position was met twice", name)
		}
		if shares && parents != len(s.graph.children) {
			t.Errorf("%s: %d edges, but %d parents", name, len(s.graph.children), parents)
		}
	}
}

// TestCanonicalEdges checks that an edge has all moves to its child.
func TestCanonicalEdges(t *testing.T) {
	p := rules.NewPosition(rules.Solo, rules.Full)
	s := newTestSearch(canonical, p, 14)
	if degree := s.graph.degrees[0]; degree != 6 {
		t.Errorf("%d children of the empty board, want 6: corner, edge or centre, 2 or 4", degree)
	}
	weight := 0
	for _, w := range s.graph.ways[:s.graph.degrees[0]] {
		weight += int(w.weight)
	}
	if weight != 160 {
		t.Errorf("the children weigh %d together, want 16 cells of 9+1", weight)
	}
}

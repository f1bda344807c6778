package players

import (
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestNodeLimit checks that a search goes on without growing beyond its limit.
func TestNodeLimit(t *testing.T) {
	for _, spec := range []string{"mcts:nodes=300,expand=1", "dag:nodes=300,expand=1", "dag:nodes=300,expand=1,canonical=true"} {
		s := newTestSearch(t, spec, rules.NewPosition(rules.GPCC2016, rules.Full), 15)
		for range 2000 {
			s.step()
		}
		if n := len(s.nodes); n > 300 || n < 300-mostMoves {
			t.Errorf("%s: %d nodes", spec, n)
		}
		if s.stats[0].visits != 2000 {
			t.Errorf("%s: %d playouts, want 2000", spec, s.stats[0].visits)
		}
	}
}

// TestNoAllocation checks that a search takes no memory once it has had what
// it needs.
func TestNoAllocation(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	for _, spec := range []string{"mcts:playouts=1000", "dag:playouts=1000", "dag:playouts=1000,canonical=true"} {
		s := newTestSearch(t, spec, p, 16)
		search := func() {
			*s.random = playout.NewGenerator(16)
			s.start(p, s.random)
			for range 1000 {
				s.step()
			}
		}
		search()
		if n := testing.AllocsPerRun(3, search); n > 0 {
			t.Errorf("%s: %v allocations in a search", spec, n)
		}
	}
}

// TestReroot checks that what is kept for the next search is what the last one
// knew of everything below the new root.
func TestReroot(t *testing.T) {
	for _, spec := range []string{"mcts:expand=1", "dag:expand=1", "dag:expand=1,canonical=true"} {
		p := searchtest.Position(t, rules.GPCC2015, "2,4,2,0/0,2,0,0/0,0,0,0/0,0,0,2 D")
		s := newTestSearch(t, spec, p, 17)
		for range 3000 {
			s.step()
		}
		known := map[rules.Position]stat{}
		for i, n := range s.nodes {
			if s.table != nil {
				known[n.position] = s.stats[i]
			}
		}
		child := s.children(&s.nodes[0])[0].child
		next := s.nodes[s.children(&s.nodes[child])[0].child].position
		want := *s.stat(next)
		if !s.reroot(next, s.random) {
			t.Fatalf("%s: %v is not known", spec, next)
		}
		if s.stats[0] != want {
			t.Errorf("%s: the new root has %+v, want %+v", spec, s.stats[0], want)
		}
		for i, n := range s.nodes {
			if s.table != nil && s.stats[i] != known[n.position] {
				t.Fatalf("%s: %v has %+v, had %+v", spec, n.position, s.stats[i], known[n.position])
			}
			if n.position.Ply() < next.Ply() {
				t.Fatalf("%s: %v is not below the new root", spec, n.position)
			}
		}
		checkSums(t, spec, &s)
		for range 1000 {
			s.step()
		}
		checkSums(t, spec, &s)
		if s.stats[0].visits != want.visits+1000 {
			t.Errorf("%s: %d visits after 1000 more than %d", spec, s.stats[0].visits, want.visits)
		}
		if s.reroot(p, s.random) {
			t.Errorf("%s: went back to the old root", spec)
		}
	}
}

// stat is the statistics of p's most visited node.
func (s *testSearch) stat(p rules.Position) *stat { return &s.stats[s.mostVisited(p)] }

// checkSums checks that no node of a tree has fewer playouts than its children
// together. Where nodes are shared a child may have met more than a new parent.
func checkSums(t *testing.T, spec string, s *testSearch) {
	t.Helper()
	if s.table != nil {
		return
	}
	for i := range s.nodes {
		sum := int32(0)
		for _, e := range s.children(&s.nodes[i]) {
			sum += s.stats[e.child].visits
		}
		if sum > s.stats[i].visits {
			t.Fatalf("%s: node %d has %d visits, its children %d", spec, i, s.stats[i].visits, sum)
		}
	}
}

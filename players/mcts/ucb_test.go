package mcts

import (
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// The searches of the paper, as the bots mcts and dag configure them by default.
var (
	tree      = Config{Nodes: 2_000_000, Exploration: 1000, ExpandAt: 5, Threads: 1}
	shared    = with(tree, func(c *Config) { c.Share = true })
	canonical = with(shared, func(c *Config) { c.Canonical = true })
)

// with returns c after a change.
func with(c Config, change func(*Config)) Config {
	change(&c)
	return c
}

// named are the same searches by name.
var named = map[string]Config{"tree": tree, "shared": shared, "canonical": canonical}

// testSearch is a search of p that makes its steps one by one.
type testSearch struct{ *ucb }

func newTestSearch(c Config, p rules.Position, seed uint64) testSearch {
	g := playout.NewGenerator(seed)
	s := New(c)
	s.ucb.descent.random = &g
	s.ucb.start(p, &g)
	return testSearch{&s.ucb}
}

// playout makes one playout and returns its leaf and its reward.
func (s *testSearch) playout() (leaf int32, reward float64) {
	reward, _ = s.step(&s.descent)
	return s.descent.leaf(), reward
}

// TestTreeBookkeeping checks that every playout is counted at each node of its path, and that leaves are
// expanded exactly after 5 playouts.
func TestTreeBookkeeping(t *testing.T) {
	const playouts = 500
	g := playout.NewGenerator(8)
	for p := range searchtest.RandomPositions(g.Below, 1) {
		s := newTestSearch(tree, p, 9)
		own, rewards := map[int32]int32{}, map[int32]float64{}
		for range playouts {
			leaf, reward := s.playout()
			own[leaf]++
			rewards[leaf] += reward
		}
		if s.graph.nodes[0].visits != playouts || own[0] != 0 {
			t.Fatalf("%v: the root has %d visits and %d own playouts", p, s.graph.nodes[0].visits, own[0])
		}
		for i := range s.graph.nodes {
			p, has := s.graph.positions[i], &s.graph.nodes[i]
			visits, total := own[int32(i)], rewards[int32(i)]
			for _, child := range s.graph.childrenOf(int32(i)) {
				visits += s.graph.nodes[child].visits
				total += s.graph.nodes[child].total
			}
			if has.visits != visits || has.total != total {
				t.Fatalf("%v: node %d has %d visits, total %v; it and its children add up to %d and %v",
					p, i, has.visits, has.total, visits, total)
			}
			degree := int(s.graph.degrees[i])
			expanded := degree > 0
			switch {
			case i == 0 || p.Over():
			case expanded && own[int32(i)] != 5, !expanded && own[int32(i)] >= 5:
				t.Fatalf("%v: node %d had %d playouts itself; expanded: %v", p, i, own[int32(i)], expanded)
			}
			if moves := len(p.AppendMoves(nil)); expanded && degree != moves {
				t.Fatalf("%v: node %d has %d children for %d moves", p, i, degree, moves)
			}
		}
	}
}

// TestUCB1 compares the choice of a child with bounds computed by hand. The children have 10 and 2 of 12
// playouts. So c = 1000 adds 705.0 and 1576.4 points to the means.
func TestUCB1(t *testing.T) {
	const often, seldom = 0, 1
	tests := []struct {
		side        rules.Side
		c           float64
		means       [2]int64
		promising   int
		bestOfMeans int
	}{
		{rules.Defender, 0, [2]int64{500, 400}, often, often},
		{rules.Defender, 1000, [2]int64{500, 400}, seldom, often},
		{rules.Defender, 1000, [2]int64{1271, 400}, seldom, often},
		{rules.Defender, 1000, [2]int64{1272, 400}, often, often},
		{rules.Attacker, 0, [2]int64{300, 400}, often, often},
		{rules.Attacker, 1000, [2]int64{300, 400}, seldom, often},
		{rules.Attacker, 1000, [2]int64{300, 1171}, seldom, often},
		{rules.Attacker, 1000, [2]int64{300, 1172}, often, often},
		{rules.Attacker, 0, [2]int64{500, 400}, seldom, seldom},
	}
	positions := map[rules.Side]string{rules.Attacker: "2,4/8,0 A", rules.Defender: "2,0/4,2 D"}
	for _, test := range tests {
		s := newTestSearch(tree, searchtest.Position(t, rules.GPCC2016, positions[test.side]), 1)
		s.exploration = test.c
		children := s.graph.childrenOf(0)
		if len(children) != 2 {
			t.Fatalf("%d children, want 2", len(children))
		}
		s.graph.nodes[0].visits = 12
		for i, visits := range []int32{10, 2} {
			s.graph.nodes[children[i]] = node{visits: visits, mean: float64(test.means[i]), width: width(visits)}
		}
		if got := int(s.promising(0, sign(test.side))); got != test.promising {
			t.Errorf("%+v: descended to child %d", test, got)
		}
		if got := int(s.graph.bestEdge(0)); got != test.bestOfMeans {
			t.Errorf("%+v: chose child %d", test, got)
		}
	}
}

// TestUnvisited checks that UCB1 takes unvisited children first, and that the final choice ignores them.
func TestUnvisited(t *testing.T) {
	s := newTestSearch(tree, searchtest.Position(t, rules.GPCC2015, "2,0,0/0,4,0/0,0,2 D"), 1)
	children := s.graph.childrenOf(0)
	for i, child := range children {
		if got := int(s.promising(0, 1)); got != i {
			t.Fatalf("with %d of %d children visited, descended to node %d", i, len(children), got)
		}
		s.graph.credit([]int32{0, child}, float64(100-i), 1)
		if got := s.graph.bestEdge(0); got != 0 {
			t.Errorf("with %d children visited chose child %d, want 0", i+1, got)
		}
	}
}

// TestChanceNodes checks that under the solo rules descents leave an attacker's node by the probabilities of
// chance, not by the means.
func TestChanceNodes(t *testing.T) {
	s := newTestSearch(tree, searchtest.Position(t, rules.Solo, "2,0,0/0,4,0/0,0,2 D"), 10)
	for range 20_000 {
		s.playout()
	}
	var fours searchtest.Sample
	for i := range s.graph.nodes {
		if s.graph.positions[i].SideToMove() == rules.Defender {
			continue
		}
		for k, child := range s.graph.childrenOf(int32(i)) {
			move := s.graph.ways[s.graph.nodes[i].firstEdge+int32(k)].move
			for range s.graph.nodes[child].visits {
				fours.Count(move.IsFour())
			}
		}
	}
	fours.Near(t, "share of 4s", 0.1)
}

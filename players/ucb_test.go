package players

import (
	"testing"

	"versus2048/players/playout"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

// testSearch is a search of p whose steps are made one by one.
type testSearch struct {
	*mcts
	descent
}

func newTestSearch(t testing.TB, spec string, p rules.Position, seed uint64) testSearch {
	g := playout.NewGenerator(seed)
	m := mustParse(t, spec).New(0).(*bot).chooser.(*mcts)
	m.start(p, &g)
	return testSearch{m, descent{random: &g}}
}

// step makes one playout, and returns the leaf that it was made from and its
// reward.
func (s *testSearch) step() (leaf int32, reward float64) {
	reward, _ = s.mcts.step(&s.descent)
	return s.leaf(), reward
}

// TestTreeBookkeeping checks that every playout is counted at each node on its
// way, and that leaves are expanded exactly when they have had 5.
func TestTreeBookkeeping(t *testing.T) {
	const playouts = 500
	g := playout.NewGenerator(8)
	for p := range searchtest.RandomPositions(g.Below, 1) {
		s := newTestSearch(t, "mcts", p, 9)
		own, rewards := map[int32]int32{}, map[int32]float64{}
		for range playouts {
			leaf, reward := s.step()
			own[leaf]++
			rewards[leaf] += reward
		}
		if s.stats[0].visits != playouts || own[0] != 0 {
			t.Fatalf("%v: the root has %d visits and %d own playouts", p, s.stats[0].visits, own[0])
		}
		for i := range s.nodes {
			n, has := &s.nodes[i], &s.stats[i]
			visits, total := own[int32(i)], rewards[int32(i)]
			for _, e := range s.children(n) {
				visits += s.stats[e.child].visits
				total += s.stats[e.child].total
			}
			if has.visits != visits || has.total != total {
				t.Fatalf("%v: node %d has %d visits, total %v; it and its children add up to %d and %v",
					p, i, has.visits, has.total, visits, total)
			}
			expanded := n.degree > 0
			switch {
			case i == 0 || n.position.Over():
			case expanded && own[int32(i)] != 5, !expanded && own[int32(i)] >= 5:
				t.Fatalf("%v: node %d has had %d playouts itself; expanded: %v", p, i, own[int32(i)], expanded)
			}
			if expanded && int(n.degree) != len(n.position.AppendMoves(nil)) {
				t.Fatalf("%v: node %d has %d children for %d moves", p, i, n.degree, len(n.position.AppendMoves(nil)))
			}
		}
	}
}

// TestUCB1 holds the choice of a child against bounds worked out by hand. With
// 12 playouts, 10 and 2 of them below the children, c = 1000 adds 705.0 and
// 1576.4 points to the means.
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
		s := newTestSearch(t, "mcts", searchtest.Position(t, rules.GPCC2016, positions[test.side]), 1)
		s.exploration = test.c
		root := &s.nodes[0]
		children := s.children(root)
		if len(children) != 2 {
			t.Fatalf("%d children, want 2", len(children))
		}
		s.stats[0].visits = 12
		for i, visits := range []int32{10, 2} {
			s.stats[children[i].child] = stat{visits: visits, mean: float64(test.means[i]), width: width(visits)}
		}
		if got := int(s.promising(0, sign(test.side))); got != test.promising {
			t.Errorf("%+v: went on with child %d", test, got)
		}
		if got := s.best().move; got != children[test.bestOfMeans].move {
			t.Errorf("%+v: chose %v", test, got)
		}
	}
}

// TestUnvisited checks that UCB1 takes unvisited children first, and that the
// final choice passes over them.
func TestUnvisited(t *testing.T) {
	s := newTestSearch(t, "mcts", searchtest.Position(t, rules.GPCC2015, "2,0,0/0,4,0/0,0,2 D"), 1)
	root := &s.nodes[0]
	children := s.children(root)
	for i, e := range children {
		if got := int(s.promising(0, 1)); got != i {
			t.Fatalf("with %d of %d children visited, went on with node %d", i, len(children), got)
		}
		s.credit([]int32{0, e.child}, float64(100-i), 1)
		if got := s.best().move; got != children[0].move {
			t.Errorf("with %d children visited chose %v, want %v", i+1, got, children[0].move)
		}
	}
}

// TestChanceNodes checks that under the solo rules the tree goes on below an
// attacker's node as chance would, whatever the means.
func TestChanceNodes(t *testing.T) {
	s := newTestSearch(t, "mcts", searchtest.Position(t, rules.Solo, "2,0,0/0,4,0/0,0,2 D"), 10)
	for range 20_000 {
		s.step()
	}
	var fours searchtest.Sample
	for i := range s.nodes {
		n := &s.nodes[i]
		if n.position.SideToMove() == rules.Defender {
			continue
		}
		for _, e := range s.children(n) {
			for range s.stats[e.child].visits {
				fours.Count(e.move.IsFour())
			}
		}
	}
	fours.Near(t, "share of 4s", 0.1)
}

// bestEnd is the score that p ends with if both sides play their best.
func bestEnd(p rules.Position, known map[rules.Position]int) int {
	if p.Over() {
		return p.Score()
	}
	if v, ok := known[p]; ok {
		return v
	}
	best := 0
	for i, m := range p.AppendMoves(nil) {
		v := bestEnd(p.Next(m), known)
		if i == 0 || (v > best) == (p.SideToMove() == rules.Defender) {
			best = v
		}
	}
	known[p] = best
	return best
}

// TestSearchIsExact gives the searches many playouts in every position of the
// 2x2 game, which they must play as well as can be.
func TestSearchIsExact(t *testing.T) {
	values := map[rules.Position]int{}
	bestEnd(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}), values)
	for _, text := range []string{
		"mcts:playouts=1000,c=50",
		"dag:playouts=1000,c=50",
		"dag:playouts=1000,c=50,canonical=true",
		"mcts:playouts=1000,c=50,threads=2",
		"dag:playouts=1000,c=50,threads=3",
		"dag:playouts=1000,c=50,canonical=true,reuse=true",
	} {
		player := mustParse(t, text).New(11)
		for p, want := range values {
			m, err := player.Choose(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if got := bestEnd(p.Next(m), values); got != want {
				t.Errorf("%s in %v: %v leads to %d, want %d", text, p, m, got, want)
			}
		}
	}
}

package mcts

import (
	"math"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// plus is a configuration like the defaults of the bot mctsplus.
var plus = PlusConfig{
	Nodes: 2_000_000, Exploration: 1, ExpandAt: 1, Canonical: true, Backup: Edges, Leaf: 1, Mate: 1000,
}

// newTestPlus returns a search of p that makes its steps one by one.
func newTestPlus(c PlusConfig, p rules.Position) *ucb {
	g, s := playout.NewGenerator(18), NewPlus(c)
	s.ucb.exploration = 300
	s.start(p, &g)
	return &s.ucb
}

// TestEdgeBookkeeping recomputes the data of every node and edge. An edge has the number of playouts along it.
// A node has the mean of its own playouts and its children's values, or the best child's value.
func TestEdgeBookkeeping(t *testing.T) {
	for _, backup := range []Backup{Edges, Minimax} {
		for _, r := range rules.Rulesets() {
			p := rules.NewPosition(r, rules.Size{Width: 3, Height: 3})
			c := plus
			c.Slides, c.Leaf, c.ExpandAt, c.Backup = WholeGame, 2, 4, backup
			m := newTestPlus(c, p)
			taken, own := map[int32]int32{}, map[int32]node{}
			for range 500 {
				total, n := m.step(&m.descent)
				for _, e := range m.descent.edges {
					taken[e] += n
				}
				s := own[m.descent.leaf()]
				own[m.descent.leaf()] = node{total: s.total + total, visits: s.visits + n}
			}
			for i, visits := range m.graph.passes {
				if visits != taken[int32(i)] {
					t.Fatalf("%v: edge %d has %d visits, want %d", r, i, visits, taken[int32(i)])
				}
			}
			// The value of a node was computed at its own last visit, which may be older than its
			// children's: only the values of leaves and of the root are certain.
			for i := range m.graph.nodes {
				checkLeaf(t, m, int32(i), own[int32(i)])
			}
			checkRoot(t, m)
		}
	}
}

func checkLeaf(t *testing.T, m *ucb, i int32, own node) {
	t.Helper()
	if m.graph.degrees[i] > 0 || own.visits == 0 {
		return
	}
	if got := m.graph.nodes[i]; got.visits != own.visits || math.Abs(got.mean-own.total/float64(own.visits)) > 1e-9 {
		t.Fatalf("leaf %d has %+v, want %d visits, total %v", i, got, own.visits, own.total)
	}
}

// checkRoot checks the root, which every playout updates.
func checkRoot(t *testing.T, m *ucb) {
	t.Helper()
	root := m.graph.positions[0]
	sum, best := 0.0, math.Inf(-1)
	for k, child := range m.graph.childrenOf(0) {
		sum += float64(m.graph.passes[k]) * m.graph.nodes[child].mean
		best = max(best, sign(root.SideToMove())*m.graph.nodes[child].mean)
	}
	want := sum / 1000
	if m.graph.backup == Minimax && !m.graph.drawsByChance(0) {
		want = sign(root.SideToMove()) * best
	}
	if got := m.graph.nodes[0]; got.visits != 1000 || math.Abs(got.mean-want) > 1e-6 {
		t.Errorf("%v: the root has %d visits and the value %v, want 1000 and %v", root.Rules(), got.visits, got.mean, want)
	}
}

// TestPlusIsExact lets searches of whole playouts play the 2x2 game. They must play it perfectly.
func TestPlusIsExact(t *testing.T) {
	testkit.Long(t)
	values := map[rules.Position]int{}
	bestEnd(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}), values)
	for name, change := range map[string]func(*PlusConfig){
		"defaults":  func(*PlusConfig) {},
		"minimax":   func(c *PlusConfig) { c.Backup = Minimax },
		"ancestors": func(c *PlusConfig) { c.Backup, c.Leaf = Ancestors, 4 },
		"merge":     func(c *PlusConfig) { c.Policy = playout.Merge },
		"corner":    func(c *PlusConfig) { c.Policy, c.Reward = playout.Corner, Log },
		"duel":      func(c *PlusConfig) { c.Policy, c.Reward = playout.Duel, Rank },
	} {
		c := plus
		c.Slides, c.Exploration = WholeGame, 0.3
		change(&c)
		search, lost := NewPlus(c), 0
		for p, want := range values {
			if len(p.AppendMoves(nil)) < 2 {
				continue // forced, or over
			}
			random := playout.NewGenerator(11, uint64(p.Ply()))
			m := search.Choose(p, &random, made(2000))
			if bestEnd(p.Next(m), values) != want {
				lost++
			}
		}
		if lost > 0 {
			t.Errorf("%s chose badly in %d of %d positions", name, lost, len(values))
		}
	}
}

// A search makes as many playouts as its budget allows, even if a leaf may have more.
func TestPlusPlayouts(t *testing.T) {
	for _, slides := range []int{WholeGame, 3} {
		c := plus
		c.Leaf, c.Slides = 1024, slides
		s, g := NewPlus(c), playout.NewGenerator(4)
		for _, want := range []int64{1, 7, 1500} {
			s.Choose(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 2}), &g, searching.Budget{Playouts: int(want)})
			if made := s.Result().Playouts; made != want {
				t.Errorf("%d slides: %d playouts, want %d", slides, made, want)
			}
		}
	}
}

// The search ends soon after stop reports true, even if a leaf has many playouts.
func TestPlusStopsWithinALeaf(t *testing.T) {
	c := plus
	c.Leaf, c.Policy, c.Slides = 1024, playout.Merge, WholeGame-1
	s, g, asked := NewPlus(c), playout.NewGenerator(4), 0
	s.Choose(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 3, Height: 2}), &g, searching.Budget{Stop: func() bool {
		asked++
		return asked > 2
	}})
	if made := s.Result().Playouts; made > 3*stopEvery {
		t.Errorf("%d playouts after stop was asked %d times", made, asked)
	}
}

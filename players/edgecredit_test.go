package players

import (
	"math"
	"testing"

	"versus2048/players/playout"
	"versus2048/rules"
)

// newTestPlus is a search by mctsplus whose steps are made one by one.
func newTestPlus(t *testing.T, spec string, p rules.Position) *mctsPlus {
	m := mustParse(t, spec).New(0).(*bot).chooser.(*mctsPlus)
	g := playout.NewGenerator(18)
	m.descent.random = &g
	m.outlooks.begin(p)
	m.exploration = 300
	m.start(p, &g)
	return m
}

// TestEdgeBookkeeping recomputes what every node and edge must hold: an edge the
// playouts that went along it, a node the mean of its own playouts and its
// children's values, or the best child's value.
func TestEdgeBookkeeping(t *testing.T) {
	for _, backup := range []string{"edges", "minimax"} {
		for _, r := range rules.Rulesets() {
			p := rules.NewPosition(r, rules.Size{Width: 3, Height: 3})
			m := newTestPlus(t, "mctsplus:slides=1000000,leaf=2,expand=4,canonical=true,backup="+backup, p)
			taken, own := map[int32]int32{}, map[int32]stat{}
			for range 500 {
				total, n := m.step(&m.descent)
				for _, e := range m.descent.taken {
					taken[e] += n
				}
				s := own[m.descent.leaf()]
				own[m.descent.leaf()] = stat{total: s.total + total, visits: s.visits + n}
			}
			for i, e := range m.edges {
				if e.visits != taken[int32(i)] {
					t.Fatalf("%v: edge %d has %d visits, want %d", r, i, e.visits, taken[int32(i)])
				}
			}
			// A node's value follows from its children's at its own last visit,
			// which may be older than theirs: only leaves' values stay.
			for i := range m.nodes {
				checkLeaf(t, m, int32(i), own[int32(i)])
			}
			checkRoot(t, m)
		}
	}
}

func checkLeaf(t *testing.T, m *mctsPlus, i int32, own stat) {
	t.Helper()
	if m.nodes[i].degree > 0 || own.visits == 0 {
		return
	}
	if got := m.stats[i]; got.visits != own.visits || math.Abs(got.mean-own.total/float64(own.visits)) > 1e-9 {
		t.Fatalf("leaf %d has %+v, want %d visits, total %v", i, got, own.visits, own.total)
	}
}

// checkRoot checks the root, which every playout brings up to date.
func checkRoot(t *testing.T, m *mctsPlus) {
	t.Helper()
	root := &m.nodes[0]
	sum, best := 0.0, math.Inf(-1)
	for _, e := range m.children(root) {
		sum += float64(e.visits) * m.stats[e.child].mean
		best = max(best, sign(root.position.SideToMove())*m.stats[e.child].mean)
	}
	want := sum / 1000
	if m.backup == minimax && !root.drawsByChance() {
		want = sign(root.position.SideToMove()) * best
	}
	if got := m.stats[0]; got.visits != 1000 || math.Abs(got.mean-want) > 1e-6 {
		t.Errorf("%v: the root has %d visits and the value %v, want 1000 and %v", root.position.Rules(), got.visits, got.mean, want)
	}
}

// TestPlusIsExact lets the evaluating searches play the 2x2 game, which they must
// play as well as can be: a search that reaches the end everywhere needs no
// evaluation.
func TestPlusIsExact(t *testing.T) {
	values := map[rules.Position]int{}
	bestEnd(rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2}), values)
	for _, text := range []string{
		"mctsplus:playouts=2000,slides=1000000,c=30",
		"mctsplus:playouts=2000,slides=1000000,c=30,backup=minimax",
		"mctsplus:playouts=2000,slides=1000000,c=30,backup=ancestors,leaf=4",
		"mctsplus:playouts=2000,slides=1000000,c=30,policy=merge",
		"mctsplus:playouts=2000,slides=1000000,c=30,policy=corner,reward=log",
		"mctsplus:playouts=2000,slides=1000000,c=30,policy=duel,reward=rank",
	} {
		player, lost := mustParse(t, text).New(11), 0
		for p, want := range values {
			m, err := player.Choose(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if bestEnd(p.Next(m), values) != want {
				lost++
			}
		}
		if lost > 0 {
			t.Errorf("%s chose badly in %d of %d positions", text, lost, len(values))
		}
	}
}

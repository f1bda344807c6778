package puct_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/players/playout"
	"versus2048/players/puct"
	"versus2048/players/searching"
	"versus2048/players/searchtest"
	"versus2048/rules"
)

var (
	twoByTwo   = rules.Size{Width: 2, Height: 2}
	threeByTwo = rules.Size{Width: 3, Height: 2}
)

// made is the budget of a search that makes some simulations.
func made(simulations int) searching.Budget { return searching.Budget{Playouts: simulations} }

// simulations returns how many simulations a search has made that began with an empty tree.
func simulations(r searching.Result) (n int) {
	for _, m := range r.Moves {
		n += int(m.Visits)
	}
	return n
}

// taught is an evaluator with exact values and no policy, or with errors in both.
type taught struct {
	table  *exact.Table
	errors *rand.Rand // nil for none
	scale  puct.Scale
}

func (e taught) Evaluate(positions []rules.Position) []puct.Rating {
	ratings := make([]puct.Rating, len(positions))
	for i, p := range positions {
		ratings[i].Policy = make([]float32, puct.Outputs(p.Size()))
		if e.errors != nil {
			ratings[i].Further = 100 * e.errors.Float64()
			continue
		}
		v, err := e.table.Value(p)
		if err != nil {
			panic(err)
		}
		ratings[i].Further = v.Gain
	}
	return ratings
}

func (e taught) Scale() puct.Scale { return e.scale }

// roots is the scale of square roots.
type roots struct{}

func (roots) Of(points float64) float64    { return math.Sqrt(points) }
func (roots) Points(value float64) float64 { return value * value }

func solve(t *testing.T, r rules.Ruleset, s rules.Size) *exact.Table {
	t.Helper()
	table, err := retrograde.Solve(t.Context(), r, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return table.Table
}

// play plays a game of a search against itself and returns the final score.
func play(s *puct.Search, p rules.Position) int {
	random := playout.NewGenerator(1)
	for !p.Over() {
		p = p.Next(s.Choose(p, &random, made(200)))
	}
	return p.Score()
}

// With exact values a search plays perfectly in both roles, with every scaling of values.
func TestExactValuesGivePerfectPlay(t *testing.T) {
	for _, test := range []struct {
		rules   rules.Ruleset
		size    rules.Size
		scaled  puct.Scaled
		scale   puct.Scale
		batch   int
		reuse   bool
		optimum int
	}{
		{rules.GPCC2015, twoByTwo, puct.Tree, nil, 1, false, 68},
		{rules.GPCC2015, twoByTwo, puct.Siblings, nil, 4, false, 68},
		{rules.GPCC2015, twoByTwo, puct.Tree, roots{}, 1, true, 68},
		{rules.GPCC2015, twoByTwo, puct.Siblings, nil, 1, true, 68},
		{rules.GPCC2016, twoByTwo, puct.Tree, nil, 1, false, 8},
		{rules.GPCC2016, twoByTwo, puct.Siblings, roots{}, 4, false, 8},
		{rules.GPCC2015, threeByTwo, puct.Tree, roots{}, 1, false, 516},
		{rules.GPCC2016, threeByTwo, puct.Siblings, nil, 1, false, 40},
	} {
		c := puct.Defaults()
		c.Batch, c.Scaled, c.Reuse = test.batch, test.scaled, test.reuse
		s := puct.New(c, taught{solve(t, test.rules, test.size), nil, test.scale})
		if got := play(s, rules.NewPosition(test.rules, test.size)); got != test.optimum {
			t.Errorf("%+v: %d points", test, got)
		}
	}
}

// With random values a search still comes near the exact value, since the ends of games are exact. The distance
// depends on the size of its tree.
func TestNoiseConverges(t *testing.T) {
	for _, test := range []struct {
		rules   rules.Ruleset
		text    string
		few     int // number of simulations that leaves the value far from the exact one; 0 for an easy position
		most    int
		nearest float64 // largest error of the value in the end, as a share of the value
	}{
		{rules.GPCC2016, "0,0/0,0 A", 1000, 60_000, 0.7},
		{rules.GPCC2015, "8,4/2,0 A", 0, 8000, 0.01},
		{rules.Solo, "16,8/0,2 D", 0, 8000, 0.02},
	} {
		p := searchtest.Position(t, test.rules, test.text)
		table := solve(t, test.rules, p.Size())
		v, err := table.Value(p)
		if err != nil {
			t.Fatal(err)
		}
		want := float64(p.Score()) + v.Gain
		if test.few > 0 {
			if got := guess(table, p, test.few); math.Abs(got-want) < 2*want {
				t.Errorf("%v %s: value %.2f after %d simulations: what is measured is not noise", test.rules, test.text, got, test.few)
			}
		}
		if got := guess(table, p, test.most); math.Abs(got-want) > test.nearest*want {
			t.Errorf("%v %s: value %.2f, want %.2f", test.rules, test.text, got, want)
		}
	}
}

// guess returns the value of a position by the given number of simulations with random ratings of their leaves.
func guess(table *exact.Table, p rules.Position, simulations int) float64 {
	c := puct.Defaults()
	c.Nodes, c.Scaled, c.Init = 1_000_000, puct.Siblings, 0.5
	s := puct.New(c, taught{table, rand.New(rand.NewPCG(1, 2)), nil})
	random := playout.NewGenerator(1)
	s.Choose(p, &random, made(simulations))
	return s.Result().Moves[0].Value
}

// A search is the same for the same seed; its visits add up; and its report fits the position.
func TestStats(t *testing.T) {
	table := solve(t, rules.GPCC2016, threeByTwo)
	for _, batch := range []int{1, 3, 16} {
		c := puct.Defaults()
		c.Batch, c.Noise, c.Temperature = batch, 0.25, 1
		p := searchtest.Position(t, rules.GPCC2016, "0,0,2/0,4,0 D")
		var all []searching.Result
		for range 2 {
			s := puct.New(c, taught{table, rand.New(rand.NewPCG(3, 4)), nil})
			random := playout.NewGenerator(9)
			m := s.Choose(p, &random, made(77))
			st := s.Result()
			if m != st.Variation[0] {
				t.Errorf("chose %v, but the variation is %v", m, st.Variation)
			}
			checkStats(t, st, p, 77)
			all = append(all, st)
		}
		if !reflect.DeepEqual(all[0], all[1]) {
			t.Errorf("two searches with one seed:\n%+v\n%+v", all[0], all[1])
		}
	}
}

func checkStats(t *testing.T, st searching.Result, p rules.Position, simulations int) {
	t.Helper()
	visits, prior, expanded := 0, 0.0, int64(0)
	for _, m := range st.Moves {
		visits += int(m.Visits)
		prior += m.Prior
	}
	for _, n := range st.Expanded {
		expanded += n
	}
	if visits != simulations || expanded > st.Nodes || math.Abs(prior-1) > 1e-6 {
		t.Errorf("%d visits, want %d; %d of %d nodes expanded; priors add up to %v: %+v", visits, simulations, expanded, st.Nodes, prior, st)
	}
	for _, m := range st.Variation {
		next, err := p.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
}

// A search that is stopped returns a legal move, even without a simulation. It makes no simulation after the stop.
func TestStop(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	random := playout.NewGenerator(1)
	c := puct.Defaults()
	for after := range 5 {
		s := puct.New(c, even{})
		asked := 0
		m := s.Choose(p, &random, searching.Budget{Stop: func() bool { asked++; return asked > after }})
		if _, err := p.Play(m); err != nil {
			t.Error(err)
		}
		if got := simulations(s.Result()); got != max(0, after-1) {
			t.Errorf("%d simulations when stopped at question %d", got, after)
		}
	}
}

// A search ends when its tree is full.
func TestNodes(t *testing.T) {
	c := puct.Defaults()
	c.Nodes, c.Batch = 64, 4
	s := puct.New(c, even{})
	random := playout.NewGenerator(1)
	s.Choose(rules.NewPosition(rules.GPCC2015, rules.Full), &random, searching.Budget{})
	if n := s.Result().Nodes; n < 64 || n >= 64+4 {
		t.Errorf("%d nodes, want 64 and those of a batch", n)
	}
}

// A tree that is used again has its earlier visits below the position, and the visits of the new search.
func TestReuse(t *testing.T) {
	c := puct.Defaults()
	c.Reuse = true
	s := puct.New(c, taught{solve(t, rules.GPCC2015, threeByTwo), nil, nil})
	random := playout.NewGenerator(1)
	p := rules.NewPosition(rules.GPCC2015, threeByTwo)
	p = p.Next(s.Choose(p, &random, made(100)))
	before := s.Result().Moves[0].Visits
	s.Choose(p, &random, made(100))
	visits := int64(0)
	for _, m := range s.Result().Moves {
		visits += m.Visits
	}
	if visits != before-1+100 { // the first visit of the node was its own rating
		t.Errorf("%d visits, want 100 more than %d", visits, before-1)
	}
}

// The attacker under solo chooses its placement, while the tree below has placements by chance.
func TestSoloAttacker(t *testing.T) {
	table := solve(t, rules.Solo, twoByTwo)
	random := rand.New(rand.NewPCG(1, 2))
	s := puct.New(puct.Defaults(), taught{table, nil, nil})
	for p := range searchtest.RandomGame(rules.NewPosition(rules.Solo, twoByTwo), random.IntN) {
		if p.SideToMove() != rules.Attacker {
			continue
		}
		moves, err := table.Moves(p)
		if err != nil {
			t.Fatal(err)
		}
		least := slices.MinFunc(moves, func(a, b exact.MoveValue) int { return int(a.Value.Gain - b.Value.Gain) })
		g := playout.NewGenerator(1)
		s.Choose(p, &g, made(400))
		if got := s.Result().Moves[0].Value - float64(p.Score()); got > least.Value.Gain+5 {
			t.Errorf("%v: %.1f more points expected, want the attacker to allow about %.1f", p, got, least.Value.Gain)
		}
	}
}

// A search ends when it is told that it has enough. It knows by how many visits its choice leads, unless that is drawn.
func TestEnough(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2016, "0,0,2/0,4,0 D")
	for _, temperature := range []float64{0, 1} {
		c := puct.Defaults()
		c.Temperature = temperature
		s := puct.New(c, taught{solve(t, rules.GPCC2016, threeByTwo), nil, nil})
		last, random := searching.Progress{}, playout.NewGenerator(1)
		s.Choose(p, &random, searching.Budget{Enough: func(p searching.Progress) bool {
			last = p
			return p.Playouts == 30
		}})
		moves, lead := s.Result().Moves, 0
		if temperature == 0 {
			lead = int(moves[0].Visits - moves[1].Visits)
		}
		if n := simulations(s.Result()); n != 30 || last.Playouts != n || last.Lead != lead {
			t.Errorf("temperature %v: %d simulations, %+v, moves %+v", temperature, n, last, moves)
		}
	}
}

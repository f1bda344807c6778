package rating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// someField returns results of bots with strengths 100 Elo apart.
func someField(random *rand.Rand, bots int, matches int64) []Result {
	var results []Result
	for a := range bots {
		for b := range a {
			var m Trinomial
			for range matches {
				switch u := random.Float64(); {
				case u < 0.2:
					m.Draw++
				case u < 0.2+0.8*scoreOf(100*float64(a-b)):
					m.Win++
				default:
					m.Loss++
				}
			}
			results = append(results, Result{A: a, B: b, Matches: m})
		}
	}
	return results
}

// chances returns the probabilities of loss, draw and win of Davidson's model for bots with this
// difference of ratings, straight from its definition.
func chances(difference, drawRate float64) distribution {
	nu := 2 * drawRate / (1 - drawRate)
	p := math.Exp(difference / eloScale * (2 + nu) / 2) // against a strength of 1
	total := p + 1 + nu*math.Sqrt(p)
	return distribution{1 / total, nu * math.Sqrt(p) / total, p / total}
}

// At the maximum of the likelihood, each bot's expected points are the points that it has made (Davidson 1970), and the
// expected number of draws is the number of draws.
func TestRatingsSolveTheLikelihoodEquations(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for _, bots := range []int{2, 3, 8} {
		results := someField(random, bots, 40)
		g := Rate(bots, results)[0]
		if g.Prior || len(g.Members) != bots {
			t.Fatalf("%+v: a prior, or not all", g)
		}
		points, draws := make([]float64, bots), 0.5
		draws -= g.DrawRate // one more match between equals, half drawn
		for _, r := range results {
			p := chances(g.ratings[r.A]-g.ratings[r.B], g.DrawRate)
			mean, _ := p.moments()
			n := float64(Trials(r.Matches))
			made := float64(r.Matches.Win) + float64(r.Matches.Draw)/2
			points[r.A] += made - n*mean
			points[r.B] -= made - n*mean
			draws += float64(r.Matches.Draw) - n*p[1]
		}
		for i, surplus := range append(points, draws) {
			if math.Abs(surplus) > 1e-6 {
				t.Errorf("%d bots: %d has made %v points (the last: draws) more than expected", bots, i, surplus)
			}
		}
	}
}

func TestTwoBotsAreRatedByTheirElo(t *testing.T) {
	for _, m := range []Trinomial{{500, 0, 700}, {3000, 5000, 4000}, {1000, 100, 900}, {400, 500, 1000}} {
		g := Rate(2, []Result{{A: 0, B: 1, Matches: m}})[0].Anchored(1, 0)
		elo, _ := Elo(m)
		if got := g.Elo(0); math.Abs(got.Value-elo.Value) > 1.5 || math.Abs(got.HalfWidth()/elo.HalfWidth()-1) > 0.03 {
			t.Errorf("%v: rated %v, Elo %v", m, got, elo)
		}
	}
}

func TestRatingsDoNotDependOnNumbersAndSides(t *testing.T) {
	results := someField(rand.New(rand.NewPCG(2, 0)), 5, 20)
	want := Rate(5, results)[0]
	turned := make([]Result, len(results))
	for i, r := range results {
		turned[i] = Result{A: 4 - r.B, B: 4 - r.A, Matches: r.Matches.Reversed()}
	}
	slices.Reverse(turned)
	got := Rate(5, turned)[0]
	for i := range 5 {
		if a, b := want.Elo(i), got.Elo(4-i); !near(a.Value, b.Value) || !near(a.Low, b.Low) {
			t.Errorf("%d is rated %v, as %d %v", i, a, 4-i, b)
		}
		for j := range i {
			if a, b := want.Superiority(i, j), got.Superiority(4-i, 4-j); !near(a, b) || !near(a, 1-want.Superiority(j, i)) {
				t.Errorf("superiority of %d to %d: %v, renumbered %v", i, j, a, b)
			}
		}
	}
}

// near reports whether two ratings are practically the same.
func near(a, b float64) bool { return math.Abs(a-b) < 1e-4 }

func TestAnchor(t *testing.T) {
	g := Rate(4, someField(rand.New(rand.NewPCG(3, 0)), 4, 30))[0]
	a := g.Anchored(2, 1500)
	if got := a.Elo(2); got != (Interval{1500, 1500, 1500}) {
		t.Errorf("the anchor is rated %v", got)
	}
	for i := range 4 {
		for j := range i {
			if !near(g.ratings[i]-g.ratings[j], a.ratings[i]-a.ratings[j]) || !near(g.Superiority(i, j), a.Superiority(i, j)) {
				t.Errorf("the anchor changes what is between %d and %d", i, j)
			}
		}
	}
	if back := a.Anchored(2, g.ratings[2]); !near(back.Elo(0).HalfWidth(), a.Elo(0).HalfWidth()) || !near(back.ratings[0], g.ratings[0]) {
		t.Error("a second anchor does not take the first one's place")
	}
}

func TestIsolatedGroups(t *testing.T) {
	groups := Rate(6, []Result{
		{A: 5, B: 1, Matches: Trinomial{3, 1, 6}},
		{A: 0, B: 3, Matches: Trinomial{3, 1, 6}},
		{A: 3, B: 4, Matches: Trinomial{2, 2, 2}},
		{A: 2, B: 0},
	})
	var members [][]int
	for _, g := range groups {
		members = append(members, g.Members)
		sum := 0.0
		for k := range g.Members {
			sum += g.Elo(k).Value
		}
		if math.Abs(sum) > 1e-6 {
			t.Errorf("the ratings of %v have sum %v", g.Members, sum)
		}
	}
	if want := [][]int{{0, 3, 4}, {1, 5}, {2}}; !slices.EqualFunc(members, want, slices.Equal) {
		t.Errorf("groups %v, want %v", members, want)
	}
}

func TestPerfectScorers(t *testing.T) {
	// 0 has lost all, 3 has won all.
	g := Rate(4, []Result{
		{A: 1, B: 2, Matches: Trinomial{4, 0, 6}},
		{A: 0, B: 1, Matches: Trinomial{Loss: 10}},
		{A: 3, B: 2, Matches: Trinomial{Win: 10}},
	})[0]
	for k, want := range []struct{ below, above bool }{{true, false}, {}, {}, {false, true}} {
		i := g.Elo(k)
		if math.IsInf(i.Low, -1) != want.below || math.IsInf(i.High, 1) != want.above || math.IsInf(i.Value, 0) {
			t.Errorf("%d is rated %v", k, i)
		}
	}
	if !g.Prior || !(g.Elo(3).Low > 0) || !(g.Elo(0).High < 0) {
		t.Errorf("rated %v and %v, prior %t", g.Elo(0), g.Elo(3), g.Prior)
	}
	if a := g.Anchored(3, 0); !math.IsInf(a.Elo(1).Low, -1) || math.IsInf(a.Elo(1).High, 0) {
		t.Errorf("against who won all, another is rated %v", a.Elo(1))
	}
}

func TestPriorIsForUnlimitedDifferencesOnly(t *testing.T) {
	for _, tc := range []struct {
		name    string
		results []Result
		want    bool
	}{
		{"a circle", []Result{{A: 0, B: 1, Matches: Trinomial{Win: 5}}, {A: 1, B: 2, Matches: Trinomial{Win: 5}}, {A: 2, B: 0, Matches: Trinomial{Win: 5}}}, false},
		{"a chain", []Result{{A: 0, B: 1, Matches: Trinomial{Win: 5}}, {A: 1, B: 2, Matches: Trinomial{Win: 5}}}, true},
		{"a chain of draws", []Result{{A: 0, B: 1, Matches: Trinomial{Draw: 1, Win: 5}}, {A: 1, B: 2, Matches: Trinomial{Draw: 1}}}, false},
		{"one match", []Result{{A: 0, B: 1, Matches: Trinomial{Loss: 1}}, {A: 1, B: 2, Matches: Trinomial{Draw: 1}}}, true},
	} {
		g := Rate(3, tc.results)[0]
		if g.Prior != tc.want {
			t.Errorf("%s: prior %t", tc.name, g.Prior)
		}
		for k := range g.Members {
			if i := g.Elo(k); math.IsNaN(i.Low+i.Value+i.High) || math.IsInf(i.Value, 0) || math.Abs(i.Value) > 2000 {
				t.Errorf("%s: %d is rated %v", tc.name, k, i)
			}
		}
	}
}

func TestManyMatches(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 0))
	for range 100 {
		var results []Result
		for a := range 5 {
			for b := range a {
				most := []int64{2, 100, 1e6, 1e12}[random.IntN(4)]
				results = append(results, Result{A: a, B: b, Matches: Trinomial{random.Int64N(most), random.Int64N(most), random.Int64N(most)}})
			}
		}
		for _, g := range Rate(5, results) {
			for k := range g.Members {
				if i := g.Elo(k); math.IsNaN(i.Low+i.Value+i.High) || math.IsInf(i.Value, 0) {
					t.Fatalf("%+v: %d is rated %v", results, g.Members[k], i)
				}
			}
		}
	}
}

package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// same reports whether two numbers agree to nine digits.
func same(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b))
}

// somePairs returns counts of all sizes, often with zeros.
func somePairs(random *rand.Rand) Pentanomial {
	var p Pentanomial
	most := []int64{2, 4, 100, 1e6, 1e12}[random.IntN(5)]
	for i := range p {
		p[i] = random.Int64N(most)
	}
	return p
}

func TestOtherSideNegates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 500 {
		p := somePairs(random)
		for _, c := range []struct{ here, there Counts }{
			{p, p.Reversed()},
			{Trinomial{p[0], p[1], p[2]}, Trinomial{p[0], p[1], p[2]}.Reversed()},
		} {
			for name, figure := range map[string]func(Counts) (Interval, bool){"Elo": Elo, "nElo": NormalizedElo} {
				here, ok := figure(c.here)
				there, alsoOK := figure(c.there)
				if ok != alsoOK || !same(here.Value, -there.Value) || !same(here.Low, -there.High) || !same(here.High, -there.Low) {
					t.Errorf("%s of %v is %v, %t; from the other side %v, %t", name, c.here, here, ok, there, alsoOK)
				}
			}
			here, _ := Superiority(c.here)
			there, ok := Superiority(c.there)
			if ok && !same(here+there, 1) {
				t.Errorf("superiority of %v: %v, of the other %v", c.here, here, there)
			}
		}
	}
}

func TestMoreOfTheSameNarrowsTheInterval(t *testing.T) {
	few, many := Pentanomial{3, 4, 7, 2, 5}, Pentanomial{300, 400, 700, 200, 500}
	elo, _ := Elo(few)
	narrow, _ := Elo(many)
	if !same(elo.Value, narrow.Value) || math.Abs(elo.HalfWidth()/narrow.HalfWidth()-10) > 0.5 {
		t.Errorf("Elo %v, of 100 times as much %v", elo, narrow)
	}
	normalized, _ := NormalizedElo(few)
	narrow, _ = NormalizedElo(many)
	if !same(normalized.Value, narrow.Value) || !same(normalized.HalfWidth(), 10*narrow.HalfWidth()) {
		t.Errorf("nElo %v, of 100 times as much %v", normalized, narrow)
	}
}

// Counts of pairs and counts of single matches agree on the deviation of one match, if the two matches of a pair are
// independent.
func TestPairsOfIndependentMatchesAreMatches(t *testing.T) {
	// Won with probability 0.6: of 100 pairs 16 are lost twice and 36 won twice.
	pairs, _ := NormalizedElo(Pentanomial{16, 0, 48, 0, 36})
	matches, _ := NormalizedElo(Trinomial{Loss: 80, Win: 120})
	if !same(pairs.Value, matches.Value) || !same(pairs.Low, matches.Low) {
		t.Errorf("pairs %v, matches %v", pairs, matches)
	}
}

func TestFewTrials(t *testing.T) {
	inf := math.Inf(1)
	for _, tc := range []struct {
		counts     Counts
		elo        Interval
		ok         bool
		normalized bool
	}{
		{Trinomial{}, Interval{}, false, false},
		{Pentanomial{}, Interval{}, false, false},
		// One win is no surprise if the probability of a win is at least 0.05.
		{Trinomial{Win: 1}, Interval{inf, eloOf(0.05), inf}, true, false},
		{Trinomial{Loss: 2}, Interval{-inf, -inf, eloOf(1 - math.Sqrt(0.05))}, true, false},
		{Trinomial{Draw: 1}, Interval{0, eloOf(0.025), eloOf(0.975)}, true, false},
		{Trinomial{Loss: 1, Win: 1}, Interval{0, -inf, inf}, true, true},
		{Pentanomial{0, 0, 0, 0, 2}, Interval{inf, eloOf(math.Sqrt(0.05)), inf}, true, false},
		{Pentanomial{0, 0, 1, 0, 1}, Interval{eloOf(0.75), eloOf(0.75 - reach*0.25/math.Sqrt2), inf}, true, true},
	} {
		if got, ok := Elo(tc.counts); ok != tc.ok || !same(got.Value, tc.elo.Value) || !same(got.Low, tc.elo.Low) || !same(got.High, tc.elo.High) {
			t.Errorf("Elo of %v: %v, %t, want %v, %t", tc.counts, got, ok, tc.elo, tc.ok)
		}
		_, ok := NormalizedElo(tc.counts)
		_, alsoOK := Superiority(tc.counts)
		_, needed := Needed(tc.counts, 10)
		if ok != tc.normalized || alsoOK != ok || needed != ok {
			t.Errorf("%v: nElo %t, superiority %t, needed %t, want %t", tc.counts, ok, alsoOK, needed, tc.normalized)
		}
	}
}

func TestNothingIsNaN(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 0))
	for range 2000 {
		p := somePairs(random)
		elo, _ := Elo(p)
		normalized, _ := NormalizedElo(p)
		superiority, _ := Superiority(p)
		needed, _ := Needed(p, 5)
		for _, x := range []float64{
			elo.Value, elo.Low, elo.High, normalized.Value, normalized.Low, normalized.High, superiority, needed,
			SPRT{Elo0: -5, Elo1: 5, Model: Logistic}.LLR(p), SPRT{Elo0: -5, Elo1: 5, Model: Normalized}.LLR(p),
		} {
			if math.IsNaN(x) {
				t.Fatalf("%v: Elo %v, nElo %v, superiority %v, needed %v", p, elo, normalized, superiority, needed)
			}
		}
	}
}

func TestNeededIsJustEnough(t *testing.T) {
	// The half width for a given number of pairs with the same shares.
	width := func(p Pentanomial, pairs float64) float64 {
		mean, variance := observed(p).moments()
		margin := reach * math.Sqrt(variance/pairs)
		return (eloOf(mean+margin) - eloOf(mean-margin)) / 2
	}
	p := Pentanomial{3, 10, 12, 14, 11}
	for _, want := range []float64{0.1, 1, 10, 50, 90} {
		matches, ok := Needed(p, want)
		pairs := matches/2 + 50
		if !ok || width(p, pairs) > want || pairs > 50 && width(p, pairs-1) <= want {
			t.Errorf("+/- %v: %v more matches make it %v", want, matches, width(p, pairs))
		}
	}
	if matches, ok := Needed(p, 200); matches != 0 || !ok {
		t.Errorf("an interval that is narrow enough needs %v matches more, %t", matches, ok)
	}
}

func TestEloVectors(t *testing.T) {
	counts := Pentanomial{34, 54, 63, 64, 75}
	elo, _ := Elo(counts)
	normalized, _ := NormalizedElo(counts)
	for _, tc := range []struct {
		name string
		got  Interval
		want string
	}{
		{"Elo", elo, "55.58 +- 27.65"},
		{"nElo", normalized, "57.94 +- 28.28"},
	} {
		if got := fmt.Sprintf("%.2f +- %.2f", tc.got.Value, tc.got.HalfWidth()); got != tc.want {
			t.Errorf("%s %s, want %s", tc.name, got, tc.want)
		}
	}
}

package rating

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"versus2048/internal/testkit"
)

func TestSPRTValidate(t *testing.T) {
	good := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.1, Model: Logistic}
	if err := good.Validate(); err != nil {
		t.Error(err)
	}
	for name, spoil := range map[string]func(*SPRT){
		"no model":     func(s *SPRT) { s.Model = "" },
		"equal":        func(s *SPRT) { s.Elo1 = 0 },
		"not a number": func(s *SPRT) { s.Elo1 = math.NaN() },
		"too far":      func(s *SPRT) { s.Elo1 = 401 },
		"infinite":     func(s *SPRT) { s.Elo0 = math.Inf(-1) },
		"alpha":        func(s *SPRT) { s.Alpha = 0 },
		"beta":         func(s *SPRT) { s.Beta = 0.95 },
	} {
		bad := good
		if spoil(&bad); bad.Validate() == nil {
			t.Errorf("%s: %+v is taken", name, bad)
		}
	}
}

func TestSPRTBoundsAndStates(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.1, Model: Logistic}
	if lower, upper := test.Bounds(); !same(lower, math.Log(0.1/0.95)) || !same(upper, math.Log(0.9/0.05)) {
		t.Errorf("bounds %v and %v", lower, upper)
	}
	for _, tc := range []struct {
		counts Counts
		want   State
	}{
		{Trinomial{}, Running},
		{Trinomial{Loss: 10, Draw: 2, Win: 12}, Running},
		{Trinomial{Loss: 100, Draw: 20, Win: 90}, H0},
		{Trinomial{Loss: 100, Draw: 20, Win: 160}, H1},
	} {
		if got := test.State(tc.counts); got != tc.want {
			t.Errorf("%v: %s (LLR %v), want %s", tc.counts, got, test.LLR(tc.counts), tc.want)
		}
	}
}

func TestSPRTFromTheOtherSide(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	for range 500 {
		p := somePairs(random)
		for _, model := range []Model{Logistic, Normalized} {
			here := SPRT{Elo0: -3, Elo1: 20, Model: model}.LLR(p)
			there := SPRT{Elo0: -20, Elo1: 3, Model: model}.LLR(p.Reversed())
			if math.Abs(here+there) > 1e-6*max(1, math.Abs(here)) {
				t.Errorf("%s, %v: %v, from the other side %v", model, p, here, there)
			}
		}
	}
}

func TestSPRTAddsUp(t *testing.T) {
	for _, model := range []Model{Logistic, Normalized} {
		test := SPRT{Elo0: 0, Elo1: 5, Model: model}
		one, many := test.LLR(Pentanomial{3, 4, 7, 2, 5}), test.LLR(Pentanomial{3e6, 4e6, 7e6, 2e6, 5e6})
		if math.Abs(many-1e6*one) > 1e-6*math.Abs(many) {
			t.Errorf("%s: %v, a million times that is %v", model, one, many)
		}
	}
}

// bestOf returns the greatest log likelihood of the counts under a distribution that given returns for a share of
// draws. It tries shares more and more finely.
func bestOf(c Trinomial, given func(draws float64) distribution) float64 {
	likelihood := func(draws float64) float64 {
		p := given(draws)
		if !(p[0] > 0 && p[1] > 0 && p[2] > 0) {
			return math.Inf(-1)
		}
		return float64(c.Loss)*math.Log(p[0]) + float64(c.Draw)*math.Log(p[1]) + float64(c.Win)*math.Log(p[2])
	}
	best, step := 0.5, 0.01
	for range 6 {
		centre := best
		for k := -60; k <= 60; k++ {
			if draws := centre + float64(k)*step; likelihood(draws) > likelihood(best) {
				best = draws
			}
		}
		step /= 20
	}
	return likelihood(best)
}

func TestLLRIsThatOfTheBestDistributions(t *testing.T) {
	withMean := func(s float64) func(float64) distribution {
		return func(draws float64) distribution { return distribution{1 - s - draws/2, draws, s - draws/2} }
	}
	// With win less loss x, the mean less 1/2 is x/2 and the variance (1-draws-x^2)/4.
	withT := func(t float64) func(float64) distribution {
		return func(draws float64) distribution {
			x := math.Copysign(math.Sqrt(t*t*(1-draws)/(1+t*t)), t)
			return distribution{(1 - draws - x) / 2, draws, (1 - draws + x) / 2}
		}
	}
	for _, c := range []Trinomial{{10, 20, 30}, {1, 1, 1}, {300, 5, 200}, {7, 400, 1}, {1, 1, 500}} {
		for _, elo := range [][2]float64{{0, 5}, {-40, 10}, {100, 300}, {-350, -20}} {
			want := bestOf(c, withMean(scoreOf(elo[1]))) - bestOf(c, withMean(scoreOf(elo[0])))
			if got := (SPRT{Elo0: elo[0], Elo1: elo[1], Model: Logistic}).LLR(c); math.Abs(got-want) > 1e-4 {
				t.Errorf("logistic %v of %v: %v, want %v", elo, c, got, want)
			}
			want = bestOf(c, withT(elo[1]/normalizedScale)) - bestOf(c, withT(elo[0]/normalizedScale))
			if got := (SPRT{Elo0: elo[0], Elo1: elo[1], Model: Normalized}).LLR(c); math.Abs(got-want) > 1e-4 {
				t.Errorf("normalized %v of %v: %v, want %v", elo, c, got, want)
			}
		}
	}
}

func TestConstraintsHold(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 0))
	for range 2000 {
		p := somePairs(random)
		if Trials(p) == 0 {
			continue
		}
		d, _ := regularized(p)
		elo := mostElo * (2*random.Float64() - 1)
		mean, _ := d.withMean(scoreOf(elo)).moments()
		if math.Abs(mean-scoreOf(elo)) > 1e-6 {
			t.Errorf("%v at mean %v: %v", p, scoreOf(elo), mean)
		}
		want := elo / normalizedScale * math.Sqrt2
		mean, variance := d.withT(want).moments()
		if got := (mean - 0.5) / math.Sqrt(variance); math.Abs(got-want) > 1e-6 {
			t.Errorf("%v at t %v: %v", p, want, got)
		}
	}
}

// TestSPRTErrorRates plays tests where one of the hypotheses is true. The chance that a rate is off by four standard
// deviations is below 1 in 15,000. The seed is fixed, so that the test has the same result every time.
func TestSPRTErrorRates(t *testing.T) {
	testkit.Long(t)
	const alpha, beta, tests = 0.05, 0.1, 1000
	matches, _ := regularized(Trinomial{Loss: 40, Draw: 20, Win: 40})
	pairs, _ := regularized(Pentanomial{20, 10, 30, 15, 25})
	for _, tc := range []struct {
		name     string
		test     SPRT
		at0, at1 distribution
	}{
		{"logistic trinomial", SPRT{0, 50, alpha, beta, Logistic}, matches.withMean(0.5), matches.withMean(scoreOf(50))},
		{"normalized trinomial", SPRT{-30, 20, alpha, beta, Normalized}, matches.withT(-30 / normalizedScale), matches.withT(20 / normalizedScale)},
		{"logistic pentanomial", SPRT{-10, 40, alpha, beta, Logistic}, pairs.withMean(scoreOf(-10)), pairs.withMean(scoreOf(40))},
		{"normalized pentanomial", SPRT{0, 50, alpha, beta, Normalized}, pairs.withT(0), pairs.withT(50 * math.Sqrt2 / normalizedScale)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(5, 0))
			var wrong0, wrong1 float64
			for range tests {
				if outcome(random, tc.test, tc.at0) == H1 {
					wrong0++
				}
				if outcome(random, tc.test, tc.at1) == H0 {
					wrong1++
				}
			}
			for _, e := range []struct {
				name          string
				got, expected float64
			}{{"alpha", wrong0 / tests, alpha}, {"beta", wrong1 / tests, beta}} {
				if math.Abs(e.got-e.expected) > 4*math.Sqrt(e.expected*(1-e.expected)/tests) {
					t.Errorf("%s is %v, want about %v", e.name, e.got, e.expected)
				}
			}
		})
	}
}

// outcome plays a test to its end where the trials have the given distribution.
func outcome(random *rand.Rand, test SPRT, truth distribution) State {
	var pairs Pentanomial
	var matches Trinomial
	for {
		k, u := 0, random.Float64()
		for ; k < len(truth)-1 && u >= truth[k]; k++ {
			u -= truth[k]
		}
		var counts Counts
		if pairs[k]++; len(truth) == 5 {
			counts = pairs
		} else {
			matches = Trinomial{pairs[0], pairs[1], pairs[2]}
			counts = matches
		}
		if state := test.State(counts); state != Running {
			return state
		}
	}
}

func TestSPRTVectors(t *testing.T) {
	for _, tc := range []struct {
		model      Model
		elo0, elo1 float64
		counts     Counts
		want       string
	}{
		{Normalized, 0, 2, Pentanomial{365, 16618, 36229, 16974, 390}, "2.25"},
		{Normalized, -1.75, 0.25, Pentanomial{127, 4883, 10712, 5150, 104}, "3.01"},
		{Logistic, 0.5, 2.5, Pentanomial{223, 9863, 21279, 10037, 246}, "-3.07"},
		{Normalized, 0, 2, Trinomial{Loss: 36027, Draw: 68692, Win: 36433}, "0.92"},
	} {
		test := SPRT{Elo0: tc.elo0, Elo1: tc.elo1, Alpha: 0.05, Beta: 0.05, Model: tc.model}
		if got := fmt.Sprintf("%.2f", test.LLR(tc.counts)); got != tc.want {
			t.Errorf("%s [%v, %v] of %v: LLR %s, want %s", tc.model, tc.elo0, tc.elo1, tc.counts, got, tc.want)
		}
	}
}

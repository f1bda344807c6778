package report

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestIntervalCoversTheMean(t *testing.T) {
	const trials, matches, mean, sd = 400, 30, 500.0, 3000.0
	random := rand.New(rand.NewPCG(2015, 1))
	covered := 0
	for trial := range trials {
		x := make([]float64, matches)
		for i := range x {
			x[i] = mean + sd*random.NormFloat64()
		}
		if low, high := bootstrap(x, 1000, intervalLevel, uint64(trial)); low <= mean && mean <= high {
			covered++
		}
	}
	// The percentile bootstrap covers 93.5% at this size; three standard errors of 400 trials are
	// 3.7%.
	if share := float64(covered) / trials; share < 0.898 || share > 0.972 {
		t.Errorf("a 95%% interval held the true mean in %.1f%% of %d trials", 100*share, trials)
	}
}

func TestEstimate(t *testing.T) {
	for name, tc := range map[string]struct {
		x                []float64
		value, low, high float64
		valueNeeds       string
		needs            string
	}{
		"none":       {nil, 0, 0, 0, "needs 1 match", "needs 2 matches"},
		"one":        {[]float64{4}, 4, 0, 0, "", "needs 2 matches"},
		"two":        {[]float64{-10, 30}, 10, -10, 30, "", ""}, // a resample is one of them twice half the time
		"two, equal": {[]float64{8, 8}, 8, 8, 8, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := differencesOf(tc.x).estimate(1)
			if e.Value != (Figure{tc.value, tc.valueNeeds}) || e.Low != (Figure{tc.low, tc.needs}) || e.High != (Figure{tc.high, tc.needs}) {
				t.Errorf("%+v [%+v, %+v]", e.Value, e.Low, e.High)
			}
			if e.Needs != tc.needs || e.Matches != len(tc.x) || e.Seed != 1 || e.Resamples != 10_000 || e.Level != 0.95 {
				t.Errorf("estimate %+v", e)
			}
		})
	}
}

func TestIntervalDependsOnItsSeed(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9}
	if a, b := differencesOf(x).estimate(7), differencesOf(x).estimate(7); a != b {
		t.Errorf("one seed, two intervals: %+v, %+v", a, b)
	}
	lowA, highA := bootstrap(x, 101, 0.95, 7)
	lowB, highB := bootstrap(x, 101, 0.95, 8)
	if lowA == lowB && highA == highB {
		t.Errorf("two seeds, one interval [%v, %v]", lowA, highA)
	}
}

// For many numbers the computed limit agrees with drawing, even if they are skewed.
func TestBootstrapLimit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, 400)
	for i := range x {
		x[i] = 100*random.ExpFloat64() - 30
	}
	drawnLow, drawnHigh := bootstrap(x, 40_000, 0.95, 3)
	low, high := bootstrapLimit(&differencesOf(x).all, 0.95)
	if far := 0.02 * (drawnHigh - drawnLow); math.Abs(low-drawnLow) > far || math.Abs(high-drawnHigh) > far {
		t.Errorf("limit [%.3f, %.3f], drawn [%.3f, %.3f]", low, high, drawnLow, drawnHigh)
	}
	if low, high := bootstrapLimit(&differencesOf([]float64{3, 3, 3}).all, 0.95); low != 3 || high != 3 {
		t.Errorf("of equal numbers: [%v, %v], want [3, 3]", low, high)
	}
}

func differencesOf(x []float64) *differences {
	var d differences
	for _, each := range x {
		d.add(each)
	}
	return &d
}

package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// repeats is the probability that the second match of a pair repeats the outcome of the first match. Otherwise the
// second match is independent, so that repeats is the correlation of the two.
const repeats = 0.7

// playPairs returns the result of pairs of matches between bots with a difference of ratings.
func playPairs(random *rand.Rand, a, b, pairs int, difference float64) Result {
	p := chances(difference, 0.1)
	draw := func() int {
		switch u := random.Float64(); {
		case u < p[0]:
			return 0
		case u < p[0]+p[1]:
			return 1
		}
		return 2
	}
	r := Result{A: a, B: b}
	var matches [3]int64
	for range pairs {
		first := draw()
		second := first
		if random.Float64() >= repeats {
			second = draw()
		}
		matches[first]++
		matches[second]++
		r.Pairs[first+second]++
	}
	r.Matches = Trinomial{matches[0], matches[1], matches[2]}
	return r
}

// TestIntervalsCover plays events with known ratings, with dependent matches in each pair, and
// counts how often the intervals hold the ratings: 95 % of the time, and less often if the
// dependence is ignored.
func TestIntervalsCover(t *testing.T) {
	const events, pairs = 500, 30
	truth := []float64{-150, -30, 40, 140}
	random := rand.New(rand.NewPCG(1, 0))
	var field, naive, elo, anchored float64
	count := func(n *float64, i Interval, truth float64) {
		if i.Low <= truth && truth <= i.High {
			*n += 1.0 / events
		}
	}
	for range events {
		var results, unpaired []Result
		for a := range truth {
			for b := range a {
				r := playPairs(random, a, b, pairs, truth[a]-truth[b])
				results = append(results, r)
				r.Pairs = Pentanomial{}
				unpaired = append(unpaired, r)
			}
		}
		g := Rate(len(truth), results)[0]
		count(&field, g.Elo(3), truth[3])
		count(&naive, Rate(len(truth), unpaired)[0].Elo(3), truth[3])
		count(&anchored, g.Anchored(0, truth[0]).Elo(2), truth[2])
		one, _ := Elo(results[0].Pairs) // of 1 against 0
		mean, _ := chances(truth[1]-truth[0], 0.1).moments()
		count(&elo, one, eloOf(mean))
	}
	// Four standard deviations of a share of 95 %.
	tolerance := 4 * math.Sqrt(Level*(1-Level)/events)
	for name, got := range map[string]float64{"mean 0": field, "anchored": anchored, "head to head": elo} {
		if math.Abs(got-Level) > tolerance {
			t.Errorf("%s: intervals hold the truth %.1f%% of the time", name, 100*got)
		}
	}
	if naive > Level-tolerance {
		t.Errorf("of unpaired matches: %.1f%%, the test cannot tell the difference", 100*naive)
	}
}

func TestDesignEffect(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 0))
	for name, tc := range map[string]struct {
		results []Result
		want    float64
	}{
		"no pairs":        {someField(random, 3, 10), 1},
		"correlated":      {[]Result{playPairs(random, 0, 1, 3000, 100), playPairs(random, 1, 2, 3000, 50)}, 1 + repeats},
		"always the same": {[]Result{{A: 0, B: 1, Matches: Trinomial{400, 0, 600}, Pairs: Pentanomial{200, 0, 0, 0, 300}}}, 2},
		"always a point":  {[]Result{{A: 0, B: 1, Matches: Trinomial{300, 0, 300}, Pairs: Pentanomial{0, 0, 300, 0, 0}}}, 1},
		"one pair":        {[]Result{{A: 0, B: 1, Matches: Trinomial{1, 0, 1}, Pairs: Pentanomial{0, 0, 1, 0, 0}}}, 2},
	} {
		if got := Rate(3, tc.results)[0].DesignEffect; math.Abs(got-tc.want) > 0.05 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// The design effect of two bots is computed from their matches alone.
func TestDesignEffectOfTwo(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	for name, tc := range map[string]struct {
		result Result
		want   float64
	}{
		"no pairs":        {Result{Matches: Trinomial{3, 2, 5}}, 1},
		"independent":     {Result{Matches: Trinomial{400, 0, 400}, Pairs: Pentanomial{100, 0, 200, 0, 100}}, 1},
		"correlated":      {playPairs(random, 0, 1, 6000, 100), 1 + repeats},
		"always the same": {Result{Matches: Trinomial{400, 0, 600}, Pairs: Pentanomial{200, 0, 0, 0, 300}}, 2},
		"always a point":  {Result{Matches: Trinomial{300, 0, 300}, Pairs: Pentanomial{0, 0, 300, 0, 0}}, 1},
		"one pair":        {Result{Matches: Trinomial{1, 0, 1}, Pairs: Pentanomial{0, 0, 1, 0, 0}}, 2},
		"all won":         {Result{Matches: Trinomial{0, 0, 20}, Pairs: Pentanomial{0, 0, 0, 0, 10}}, 2},
	} {
		if got := tc.result.DesignEffect(); math.Abs(got-tc.want) > 0.05 {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

package rating

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The nodes have the moments of a normal distribution with the known rating and deviation.
func TestOpponentsDistribution(t *testing.T) {
	x, weights := nodes(Known{Elo: 100, Deviation: 30})
	var total, mean, square, fourth float64
	for i := range x {
		d := x[i] - 100
		total += weights[i]
		mean += weights[i] * d
		square += weights[i] * d * d
		fourth += weights[i] * d * d * d * d
	}
	for name, got := range map[string][2]float64{
		"total": {total, 1}, "mean": {mean + 1, 1}, "variance": {square, 900}, "fourth moment": {fourth, 3 * 900 * 900},
	} {
		if math.Abs(got[0]/got[1]-1) > 1e-9 {
			t.Errorf("%s %v, want %v", name, got[0], got[1])
		}
	}
}

// uncertainField returns opponents with known ratings. Their true ratings deviate from these by the known deviations.
func uncertainField(random *rand.Rand) (known []Known, truth []float64) {
	for i := range 12 {
		k := Known{Elo: float64(150 * i), Deviation: 25}
		known = append(known, k)
		truth = append(truth, k.Elo+k.Deviation*random.NormFloat64())
	}
	return known, truth
}

// place plays matches of a newcomer of this rating until its interval is narrow enough, against the opponents
// that next names, and returns the placement and the number of matches.
func place(random *rand.Rand, rating float64, within float64, next func(p *Placement, match int) int) (p *Placement, matches int) {
	known, truth := uncertainField(random)
	p = NewPlacement(known)
	for matches = 0; p.Elo().HalfWidth() > within && matches < 200; matches++ {
		opponent := next(p, matches)
		if random.Float64() < scoreOf(rating-truth[opponent]) {
			p.Add(opponent, 1, 0)
		} else {
			p.Add(opponent, 0, 1)
		}
	}
	return p, matches
}

func informative(p *Placement, _ int) int { return p.Best(func(int) bool { return true }) }
func inTurn(p *Placement, match int) int  { return match % len(p.opponents) }

// TestPlacement plays newcomers of known ratings: the intervals hold them as often as they say, and choosing the
// opponents takes fewer matches than playing all of them in turn.
func TestPlacement(t *testing.T) {
	const newcomers, within = 24, 120
	random := rand.New(rand.NewPCG(1, 0))
	covered, chosen, all := 0, 0, 0
	for range newcomers {
		rating := 1650 * random.Float64()
		p, matches := place(random, rating, within, informative)
		if i := p.Elo(); i.Low <= rating && rating <= i.High {
			covered++
		}
		chosen += matches
		_, matches = place(random, rating, within, inTurn)
		all += matches
	}
	t.Logf("%d of %d intervals hold the rating; %d matches chosen, %d in turn", covered, newcomers, chosen, all)
	// Four standard deviations of a share of 95 %.
	if tolerance := 4 * math.Sqrt(Level*(1-Level)/newcomers); math.Abs(float64(covered)/newcomers-Level) > tolerance {
		t.Errorf("%d of %d intervals hold the rating", covered, newcomers)
	}
	if 2*chosen > all {
		t.Errorf("%d matches against chosen opponents, %d against all in turn: want less than half as many", chosen, all)
	}
}

func TestPlacementOpenEnds(t *testing.T) {
	for _, tc := range []struct {
		won, lost float64
		low, high bool // whether the end is open
	}{{0, 0, true, true}, {1, 0, false, true}, {9, 0, false, true}, {0, 9, true, false}, {0.5, 0.5, true, true}, {5, 4, false, false}} {
		p := NewPlacement([]Known{{Elo: 1000}, {Elo: 1100}})
		p.Add(0, tc.won, tc.lost)
		if i := p.Elo(); math.IsInf(i.Low, -1) != tc.low || math.IsInf(i.High, 1) != tc.high || !(i.Low < i.Value && i.Value < i.High) {
			t.Errorf("%v won and %v lost: %+v", tc.won, tc.lost, i)
		}
	}
}

// Against an opponent with a certain rating, the rating and its deviation are the mean and the deviation of the
// distribution that is proportional to the likelihood.
func TestPlacementAgainstItsLikelihood(t *testing.T) {
	p := NewPlacement([]Known{{Elo: 700}})
	p.Add(0, 30, 10)
	sum, mean, square := 0.0, 0.0, 0.0
	for d := -1200.0; d <= 1200; d++ { // the naive posterior
		likelihood := math.Pow(scoreOf(d), 30) * math.Pow(scoreOf(-d), 10)
		sum, mean, square = sum+likelihood, mean+likelihood*d, square+likelihood*d*d
	}
	mean /= sum
	deviation := math.Sqrt(square/sum - mean*mean)
	if got := p.Elo().Value; math.Abs(got-700-mean) > 0.5 || math.Abs(p.Deviation()-deviation) > 0.5 {
		t.Errorf("rating %.2f with deviation %.2f, want %.2f with %.2f", got, p.Deviation(), 700+mean, deviation)
	}
	if i := p.Elo(); math.Abs(i.HalfWidth()-reach*deviation) > 0.05*i.HalfWidth() {
		t.Errorf("interval %+v with deviation %.2f", i, deviation)
	}
}

// Results that are taken back leave no trace.
func TestPlacementTakesBack(t *testing.T) {
	known := []Known{{Elo: 0, Deviation: 40}, {Elo: 300, Deviation: 20}, {Elo: 900}}
	p, q := NewPlacement(known), NewPlacement(known)
	p.Add(1, 1, 0)
	q.Add(1, 1, 0)
	p.Add(0, 0.25, 0.75)
	p.Add(0, -0.25, -0.75)
	if math.Abs(p.Elo().Value-q.Elo().Value) > 1e-6 || p.Best(func(int) bool { return true }) != q.Best(func(int) bool { return true }) {
		t.Errorf("%+v, want %+v", p.Elo(), q.Elo())
	}
	if got := p.Best(func(i int) bool { return i == 2 }); got != 2 {
		t.Errorf("best of the available ones %d, want 2", got)
	}
	if got := p.Best(func(int) bool { return false }); got != -1 {
		t.Errorf("best of none %d, want -1", got)
	}
}

// Opponents that are equally informative are met in turn.
func TestPlacementBestOfEquals(t *testing.T) {
	p := NewPlacement(make([]Known, 3))
	for match := range 9 {
		best := p.Best(func(int) bool { return true })
		if best != match%3 {
			t.Fatalf("match %d is against %d, want %d", match, best, match%3)
		}
		p.Add(best, 0.5, 0.5)
	}
}

// A quadrature of order seven has the moments of the normal distribution up to the thirteenth.
func TestNodes(t *testing.T) {
	x, weights := nodes(Known{Elo: 0, Deviation: 1})
	want := 1.0 // the product of the odd numbers below the power
	for power := 0; power <= 13; power++ {
		moment, exact := 0.0, 0.0
		for i := range x {
			moment += weights[i] * math.Pow(x[i], float64(power))
		}
		if power%2 == 0 {
			want *= math.Max(1, float64(power-1))
			exact = want
		}
		if math.Abs(moment-exact) > 1e-9*want {
			t.Errorf("moment %d is %v, want %v", power, moment, exact)
		}
	}
}

package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/report"
)

func sample(games int, mean, sd float64) Sample {
	return Sample{games, report.Figure{Value: mean}, report.Figure{Value: sd}}
}

// hasEnds reports whether the interval has the given ends, up to rounding.
func hasEnds(i report.Interval, low, high, rounding float64) bool {
	return !i.Low.Absent() && !i.High.Absent() &&
		math.Abs(i.Low.Value-low) <= rounding && math.Abs(i.High.Value-high) <= rounding
}

// The quantiles of Student's t are taken from printed tables.
func TestMeanInterval(t *testing.T) {
	for games, quantile := range map[int]float64{2: 12.7062, 5: 2.7764, 11: 2.2281, 31: 2.0423, 80: 1.9905} {
		reach := quantile * 100 / math.Sqrt(float64(games))
		if i := sum(plus(sample(games, 1000, 100))); i.Value.Value != 1000 || !hasEnds(i, 1000-reach, 1000+reach, 0.01) {
			t.Errorf("%d games: %+v, want 1000 +- %v", games, i, reach)
		}
	}
}

// With equal deviations and sizes Welch's degrees of freedom equal the pooled test's. If one sample
// is exact they equal the other's.
func TestDifferenceInterval(t *testing.T) {
	reach := 2.2281 * 10 * math.Sqrt(2.0/6) // 10 degrees of freedom
	if i := sum(plus(sample(6, 50, 10)), minus(sample(6, 30, 10))); !hasEnds(i, 20-reach, 20+reach, 0.001) {
		t.Errorf("equal deviations: %+v, want 20 +- %v", i, reach)
	}
	reach = 2.7764 * 10 / math.Sqrt(5)
	if i := sum(plus(sample(5, 50, 10)), minus(sample(100, 30, 0))); !hasEnds(i, 20-reach, 20+reach, 0.001) {
		t.Errorf("one deviation: %+v, want 20 +- %v", i, reach)
	}
	if i := sum(plus(sample(5, 50, 0)), minus(sample(5, 30, 0))); !hasEnds(i, 20, 20, 0) {
		t.Errorf("no deviation: %+v, want 20", i)
	}
}

// About 95% of the intervals contain the true difference, although deviations and sizes differ.
func TestIntervalCoverage(t *testing.T) {
	const trials, truth = 4000, 3.0
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(games int, mean, sd float64) Sample {
		x := make([]float64, games)
		for i := range x {
			x[i] = mean + sd*random.NormFloat64()
		}
		return sample(games, stat.Mean(x, nil), stat.StdDev(x, nil))
	}
	contained := 0
	for range trials {
		gap := sum(plus(draw(6, 10, 5)), minus(draw(20, 5, 1)), plus(draw(10, 1, 2)), minus(draw(8, 3, 3)))
		if gap.Low.Value <= truth && truth <= gap.High.Value {
			contained++
		}
	}
	if share := float64(contained) / trials; share < 0.94 || share > 0.96 {
		t.Errorf("%.3f of the intervals contain the true difference, want 0.95", share)
	}
}

func TestIntervalOfTooFewGames(t *testing.T) {
	none := Sample{Mean: report.Figure{Needs: "needs 1 game"}, SD: report.Figure{Needs: "needs 2 games"}}
	one := Sample{Games: 1, Mean: report.Figure{Value: 50}, SD: none.SD}
	paper := sample(80, 40, 10)
	if i := sum(plus(none), minus(paper)); i.Value.Needs != "needs 1 game" || !i.Low.Absent() || !i.High.Absent() {
		t.Errorf("of no games: %+v", i)
	}
	if i := sum(plus(one), minus(paper)); i.Value.Absent() || i.Value.Value != 10 || i.Low.Needs != "needs 2 games" || !i.High.Absent() {
		t.Errorf("of one game: %+v", i)
	}
}

// The examples are from Newcombe 1998, Two-sided confidence intervals for the single proportion,
// method 3.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		reached, games int
		low, high      float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 0.8830, 1}} {
		if i := shareReached(Scores{Sample: Sample{Games: tc.games}, Reached: tc.reached}); !hasEnds(i, tc.low, tc.high, 0.00006) {
			t.Errorf("%d of %d: %+v, want %v to %v", tc.reached, tc.games, i, tc.low, tc.high)
		}
	}
}

// The examples are from Newcombe 1998, Interval estimation for the difference between independent
// proportions, method 10.
func TestNewcombe(t *testing.T) {
	for _, tc := range []struct {
		a, b      Scores
		low, high float64
	}{
		{Scores{Sample: Sample{Games: 70}, Reached: 56}, Scores{Sample: Sample{Games: 80}, Reached: 48}, 0.0524, 0.3339},
		{Scores{Sample: Sample{Games: 10}, Reached: 9}, Scores{Sample: Sample{Games: 10}, Reached: 3}, 0.1705, 0.8090},
		{Scores{Sample: Sample{Games: 10}, Reached: 10}, Scores{Sample: Sample{Games: 10}}, 0.6075, 1},
	} {
		if i := newcombe(shareReached(tc.a), shareReached(tc.b)); !hasEnds(i, tc.low, tc.high, 0.00006) {
			t.Errorf("%+v less %+v: %+v, want %v to %v", tc.a, tc.b, i, tc.low, tc.high)
		}
	}
}

// Pairs of matches that always end alike, from the same opening, count as one match each. A repeated match does not
// count.
func TestMatchShare(t *testing.T) {
	empty := rules.NewPosition(rules.GPCC2015, rules.Full)
	// ann wins every other pair, and each match has its own moves.
	pairs := func(start rules.Position) (matches []tournament.MatchResult) {
		for i := range 40 {
			m := tournament.MatchResult{Pairing: tournament.Pairing{Match: i + 1, First: "ann", Second: "bob"}, Start: start, Outcome: tournament.FirstWins}
			if i%2 == 1 {
				m.First, m.Second = m.Second, m.First
			}
			if (m.First == "ann") != (i/2%2 == 0) {
				m.Outcome = tournament.SecondWins
			}
			m.Legs[0].Line, m.Legs[1].Line = tournament.Line(2*i+1), tournament.Line(2*i+2)
			matches = append(matches, m)
		}
		return matches
	}
	alone, opening := pairs(empty), pairs(empty.Next(rules.Place(0, false)))
	for name, tc := range map[string]struct {
		matches []tournament.MatchResult
		as      int
	}{"without openings": {alone, 40}, "of openings": {opening, 20}, "repeated": {append(alone, alone...), 40}} {
		got, want := matchShare("ann", tc.matches), ShareInterval(float64(tc.as)/2, tc.as, "match")
		if !hasEnds(got, want.Low.Value, want.High.Value, 1e-9) || got.Value.Value != 0.5 {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	if none := matchShare("ann", nil); !none.Value.Absent() {
		t.Errorf("of no matches: %+v", none)
	}
}

func TestShareOfNoGames(t *testing.T) {
	none, paper := shareReached(Scores{}), shareReached(published(1, 1, 54))
	for _, i := range []report.Interval{none, newcombe(none, paper), newcombe(paper, none)} {
		if !i.Value.Absent() || !i.Low.Absent() || !i.High.Absent() {
			t.Errorf("share of no games: %+v", i)
		}
	}
}

// The intervals of the shares 0 and 1 end exactly there.
func TestShareIntervalEnds(t *testing.T) {
	for n := 1; n <= 3000; n++ {
		if none := ShareInterval(0, n, "game"); none.Low.Value != 0 {
			t.Errorf("0 of %d: from %g", n, none.Low.Value)
		}
		if all := ShareInterval(float64(n), n, "game"); all.High.Value != 1 {
			t.Errorf("all of %d: to %g", n, all.High.Value)
		}
	}
}

// A gap is ours less the paper's, and a large one differs.
func TestVerdicts(t *testing.T) {
	for _, tc := range []struct {
		ours    Sample
		verdict Verdict
		gap     float64
	}{
		{sample(80, 27806.1, 10182.2), Agrees, 0},
		{sample(79, 27806.1, 10182.2), TooFew, 0},
		{sample(2, 27806.1, 10182.2), TooFew, 0},
		{sample(40, 20000, 10182.2), Differs, -7806.1},
		{sample(80, 24900, 10182.2), Agrees, -2906.1},
		{sample(80, 24200, 10182.2), Differs, -3606.1},
		{sample(80, 31500, 10182.2), Differs, 3693.9},
	} {
		c := compareMeans(tc.ours, published(27806.1, 10182.2, 54).Sample)
		if c.Verdict != tc.verdict || c.Gap.Value.Value < tc.gap-0.01 || c.Gap.Value.Value > tc.gap+0.01 {
			t.Errorf("%v: %s with the gap %+v, want %s with %v", tc.ours.Mean.Value, c.Verdict, c.Gap, tc.verdict, tc.gap)
		}
	}
	for reached, want := range map[int]Verdict{54: Agrees, 44: Agrees, 40: Differs, 70: Differs} {
		if c := compareShares(Scores{Sample{Games: 80}, reached}, published(0, 0, 54)); c.Verdict != want {
			t.Errorf("%d of 80 and 54 of 80: %s, want %s", reached, c.Verdict, want)
		}
	}
}

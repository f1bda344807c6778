package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"versus2048/tournament"
)

func scores(games int, mean, sd float64) Scores {
	return Scores{Games: games, Mean: tournament.Figure{Value: mean}, SD: tournament.Figure{Value: sd}}
}

// hasEnds tells whether the interval is the one wanted, up to rounding.
func hasEnds(i Interval, low, high, rounding float64) bool {
	return !i.Low.Absent() && !i.High.Absent() &&
		math.Abs(i.Low.Value-low) <= rounding && math.Abs(i.High.Value-high) <= rounding
}

// The quantiles of Student's t are those of printed tables.
func TestIntervalOfAMean(t *testing.T) {
	for games, quantile := range map[int]float64{2: 12.7062, 5: 2.7764, 11: 2.2281, 31: 2.0423, 80: 1.9905} {
		reach := quantile * 100 / math.Sqrt(float64(games))
		if i := sum(plus(scores(games, 1000, 100))); i.Value.Value != 1000 || !hasEnds(i, 1000-reach, 1000+reach, 0.01) {
			t.Errorf("%d games: %+v, want 1000 +- %v", games, i, reach)
		}
	}
}

// With equal deviations and numbers Welch's degrees of freedom are those of the
// pooled test; where one side is exact they are those of the other one.
func TestIntervalOfADifference(t *testing.T) {
	reach := 2.2281 * 10 * math.Sqrt(2.0/6) // 10 degrees of freedom
	if i := sum(plus(scores(6, 50, 10)), minus(scores(6, 30, 10))); !hasEnds(i, 20-reach, 20+reach, 0.001) {
		t.Errorf("equal deviations: %+v, want 20 +- %v", i, reach)
	}
	reach = 2.7764 * 10 / math.Sqrt(5)
	if i := sum(plus(scores(5, 50, 10)), minus(scores(100, 30, 0))); !hasEnds(i, 20-reach, 20+reach, 0.001) {
		t.Errorf("one deviation: %+v, want 20 +- %v", i, reach)
	}
	if i := sum(plus(scores(5, 50, 0)), minus(scores(5, 30, 0))); !hasEnds(i, 20, 20, 0) {
		t.Errorf("no deviation: %+v, want 20", i)
	}
}

// Of many samples nearly 95% have an interval that holds the true difference,
// though deviations and numbers differ.
func TestIntervalsHoldTheTruth(t *testing.T) {
	const trials, truth = 4000, 3.0
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(games int, mean, sd float64) Scores {
		x := make([]float64, games)
		for i := range x {
			x[i] = mean + sd*random.NormFloat64()
		}
		return scores(games, stat.Mean(x, nil), stat.StdDev(x, nil))
	}
	held := 0
	for range trials {
		gap := sum(plus(draw(6, 10, 5)), minus(draw(20, 5, 1)), plus(draw(10, 1, 2)), minus(draw(8, 3, 3)))
		if gap.Low.Value <= truth && truth <= gap.High.Value {
			held++
		}
	}
	if share := float64(held) / trials; share < 0.94 || share > 0.96 {
		t.Errorf("%.3f of the intervals hold the truth, want 0.95", share)
	}
}

func TestTooFewGamesForAnInterval(t *testing.T) {
	none := Scores{Mean: tournament.Figure{Needs: "needs 1 game"}, SD: tournament.Figure{Needs: "needs 2 games"}}
	one := Scores{Games: 1, Mean: tournament.Figure{Value: 50}, SD: none.SD}
	paper := scores(80, 40, 10)
	if i := sum(plus(none), minus(paper)); i.Value.Needs != "needs 1 game" || !i.Low.Absent() || !i.High.Absent() {
		t.Errorf("of no games: %+v", i)
	}
	if i := sum(plus(one), minus(paper)); i.Value.Absent() || i.Value.Value != 10 || i.Low.Needs != "needs 2 games" || !i.High.Absent() {
		t.Errorf("of one game: %+v", i)
	}
	if i := newcombe(wilson(none), wilson(paper)); !i.Value.Absent() || !i.Low.Absent() || !i.High.Absent() {
		t.Errorf("share of no games: %+v", i)
	}
}

// The examples of Newcombe 1998, Two-sided confidence intervals for the single
// proportion, method 3.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		reached, games int
		low, high      float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 0.8830, 1}} {
		if i := wilson(Scores{Games: tc.games, Reached: tc.reached}); !hasEnds(i, tc.low, tc.high, 0.00006) {
			t.Errorf("%d of %d: %+v, want %v to %v", tc.reached, tc.games, i, tc.low, tc.high)
		}
	}
}

// The examples of Newcombe 1998, Interval estimation for the difference between
// independent proportions, method 10.
func TestNewcombe(t *testing.T) {
	for _, tc := range []struct {
		a, b      Scores
		low, high float64
	}{
		{Scores{Games: 70, Reached: 56}, Scores{Games: 80, Reached: 48}, 0.0524, 0.3339},
		{Scores{Games: 10, Reached: 9}, Scores{Games: 10, Reached: 3}, 0.1705, 0.8090},
		{Scores{Games: 10, Reached: 10}, Scores{Games: 10}, 0.6075, 1},
	} {
		if i := newcombe(wilson(tc.a), wilson(tc.b)); !hasEnds(i, tc.low, tc.high, 0.00006) {
			t.Errorf("%+v less %+v: %+v, want %v to %v", tc.a, tc.b, i, tc.low, tc.high)
		}
	}
}

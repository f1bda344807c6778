package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"versus2048/tournament/report"
)

func sample(games int, mean, sd float64) Sample {
	return Sample{games, report.Figure{Value: mean}, report.Figure{Value: sd}}
}

// hasEnds tells whether the interval is the one wanted, up to rounding.
func hasEnds(i report.Interval, low, high, rounding float64) bool {
	return !i.Low.Absent() && !i.High.Absent() &&
		math.Abs(i.Low.Value-low) <= rounding && math.Abs(i.High.Value-high) <= rounding
}

// The quantiles of Student's t are those of printed tables.
func TestIntervalOfAMean(t *testing.T) {
	for games, quantile := range map[int]float64{2: 12.7062, 5: 2.7764, 11: 2.2281, 31: 2.0423, 80: 1.9905} {
		reach := quantile * 100 / math.Sqrt(float64(games))
		if i := sum(plus(sample(games, 1000, 100))); i.Value.Value != 1000 || !hasEnds(i, 1000-reach, 1000+reach, 0.01) {
			t.Errorf("%d games: %+v, want 1000 +- %v", games, i, reach)
		}
	}
}

// With equal deviations and numbers Welch's degrees of freedom are those of the
// pooled test; where one side is exact they are those of the other one.
func TestIntervalOfADifference(t *testing.T) {
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

// Of many samples nearly 95% have an interval that holds the true difference,
// though deviations and numbers differ.
func TestIntervalsHoldTheTruth(t *testing.T) {
	const trials, truth = 4000, 3.0
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(games int, mean, sd float64) Sample {
		x := make([]float64, games)
		for i := range x {
			x[i] = mean + sd*random.NormFloat64()
		}
		return sample(games, stat.Mean(x, nil), stat.StdDev(x, nil))
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

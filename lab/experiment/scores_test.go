package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament/report"
)

// near reports whether two intervals are the same, up to rounding.
func near(a, b report.Interval) bool {
	same := func(x, y report.Figure) bool {
		return x.Needs == y.Needs && math.Abs(x.Value-y.Value) <= 1e-9*math.Abs(y.Value)
	}
	return same(a.Value, b.Value) && same(a.Low, b.Low) && same(a.High, b.High)
}

// grouped returns scores of a against b. The games of each group begin from one opening, another for each group.
func grouped(t *testing.T, groups ...[]float64) (all scores) {
	t.Helper()
	for n, group := range groups {
		start, err := rules.PositionFrom(rules.GPCC2015, [][]int{{2, 0}, {4, 8}}, rules.Attacker, 20, 2*n)
		if err != nil {
			t.Fatal(err)
		}
		for _, score := range group {
			all = append(all, gameScore{start, "a", "b", score})
		}
	}
	return all
}

// The four games from an opening of a complete contest are one case, from first to second games and
// from match to match.
func TestMeanOfCompleteGames(t *testing.T) {
	e := contestEvents(t, Claims{Scores: true}, timedSettings())[1]
	p := Played{Event: e}
	for opening, tile := range []int{256, 128, 512} {
		for match := range 2 {
			games := meeting(t, e, opening+1, e.Entries[match].Name, e.Entries[1-match].Name, [2]int{tile, tile})
			for i := range games {
				games[i].Match = 2*opening + match + 1
			}
			p.Games = append(p.Games, games...)
		}
	}
	got := newScores(p).defence("", "")
	if want := MeanInterval([]float64{score(256), score(128), score(512)}, "opening"); got.Games != 12 || !near(got.Mean, want) {
		t.Errorf("%+v, want 12 games and %+v", got, want)
	}
}

func TestMeanByOpening(t *testing.T) {
	for name, tc := range map[string]struct {
		scores scores
		want   report.Interval
	}{
		"a game each": {grouped(t, []float64{3}, []float64{8}, []float64{4}), MeanInterval([]float64{3, 8, 4}, "opening")},
		"two each":    {grouped(t, []float64{1, 5}, []float64{8, 8}, []float64{6, 2}), MeanInterval([]float64{3, 8, 4}, "opening")},
		// By hand: the mean is 5, and the terms are 5 + (4 - 5)*2/1.5 and 5 + (7 - 5)*1/1.5.
		"not as many": {grouped(t, []float64{2, 6}, []float64{7}), MeanInterval([]float64{11.0 / 3, 19.0 / 3}, "opening")},
		"one opening": {grouped(t, []float64{2, 6}), withoutEnds(report.Figure{Value: 4}, "needs 2 openings")},
	} {
		if got := tc.scores.defence("a", "b").Mean; !near(got, tc.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
	if none := grouped(t).defence("a", "b"); none.Games != 0 || !none.Mean.Value.Absent() {
		t.Errorf("of no games: %+v", none)
	}
}

// A ratio's interval is symmetric in its logarithm, and the interval of the ratio the other way round is its
// inverse.
func TestRatioOfMeans(t *testing.T) {
	x, y := grouped(t, []float64{10}, []float64{12}, []float64{14}), grouped(t, nil, nil, nil, []float64{4}, []float64{5}, []float64{9})
	r, inverse := ratioOfMeans(x, y), ratioOfMeans(y, x)
	// By hand: the relative variances of the means are 1/108 and 7/108, the degrees of freedom 2 * 8^2/(1^2 + 7^2).
	reach := math.Exp(distuv.StudentsT{Sigma: 1, Nu: 2.56}.Quantile(0.975) * math.Sqrt(8.0/108))
	if want := newInterval(2, 2/reach, 2*reach); !near(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	if !near(inverse, newInterval(0.5, 1/r.High.Value, 1/r.Low.Value)) {
		t.Errorf("%+v and %+v", r, inverse)
	}
	// Games from one opening that end alike count as much as one of them.
	twice := grouped(t, []float64{10, 10}, []float64{12, 12}, []float64{14, 14})
	if alike := ratioOfMeans(twice, y); !near(alike, r) {
		t.Errorf("of games twice: %+v, want %+v", alike, r)
	}
	// The ratio does not contain the part of both means that comes from the openings.
	if same := ratioOfMeans(x, grouped(t, []float64{5}, []float64{6}, []float64{7})); !near(same, newInterval(2, 2, 2)) {
		t.Errorf("of openings that decide the scores: %+v", same)
	}
	for _, none := range []scores{nil, grouped(t, []float64{0, 0})} {
		if r := ratioOfMeans(x, none); !r.Value.Absent() {
			t.Errorf("over %v: %+v", none, r)
		}
	}
	if one := ratioOfMeans(x, grouped(t, []float64{4, 8})); one.Value.Value != 2 || one.Low.Needs != "needs 2 openings" || !one.High.Absent() {
		t.Errorf("over one opening: %+v", one)
	}
}

// About 95% of the intervals hold the truth if games from one opening are alike in part, few openings or many.
// The second mean has half of the openings of the first one, as in a contest.
func TestCoverageByOpening(t *testing.T) {
	testkit.Long(t)
	random := rand.New(rand.NewPCG(1, 2))
	const trials = 3000
	for _, openings := range []int{6, 40} {
		means, ratios := 0, 0
		for range trials {
			var x, y [][]float64
			for n := range openings {
				ease := 10 * random.NormFloat64()
				draw := func(mean float64) float64 { return mean + mean/100*ease + 10*random.NormFloat64() }
				x = append(x, []float64{draw(200), draw(200)})
				if n < openings/2 {
					y = append(y, []float64{draw(100), draw(100), draw(100), draw(100)})
				}
			}
			mean, ratio := grouped(t, y...).defence("a", "b").Mean, ratioOfMeans(grouped(t, x...), grouped(t, y...))
			means += held(mean, 100)
			ratios += held(ratio, 2)
		}
		for name, n := range map[string]int{"means": means, "ratios": ratios} {
			if share := float64(n) / trials; share < 0.935 || share > 0.985 {
				t.Errorf("%d openings: %.3f of the intervals of %s hold the truth, want 0.95", openings, share, name)
			}
		}
	}
}

// held returns 1 if the interval holds the truth.
func held(i report.Interval, truth float64) int {
	if i.Low.Value <= truth && truth <= i.High.Value {
		return 1
	}
	return 0
}

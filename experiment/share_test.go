package experiment

import (
	"testing"

	"versus2048/tournament/report"
)

// The examples of Newcombe 1998, Two-sided confidence intervals for the single
// proportion, method 3.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		reached, games int
		low, high      float64
	}{{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718}, {29, 29, 0.8830, 1}} {
		if i := wilson(Scores{Sample: Sample{Games: tc.games}, Reached: tc.reached}); !hasEnds(i, tc.low, tc.high, 0.00006) {
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
		{Scores{Sample: Sample{Games: 70}, Reached: 56}, Scores{Sample: Sample{Games: 80}, Reached: 48}, 0.0524, 0.3339},
		{Scores{Sample: Sample{Games: 10}, Reached: 9}, Scores{Sample: Sample{Games: 10}, Reached: 3}, 0.1705, 0.8090},
		{Scores{Sample: Sample{Games: 10}, Reached: 10}, Scores{Sample: Sample{Games: 10}}, 0.6075, 1},
	} {
		if i := newcombe(wilson(tc.a), wilson(tc.b)); !hasEnds(i, tc.low, tc.high, 0.00006) {
			t.Errorf("%+v less %+v: %+v, want %v to %v", tc.a, tc.b, i, tc.low, tc.high)
		}
	}
}

func TestNoGamesForAShare(t *testing.T) {
	none, paper := wilson(Scores{}), wilson(published(1, 1, 54))
	for _, i := range []report.Interval{none, newcombe(none, paper), newcombe(paper, none)} {
		if !i.Value.Absent() || !i.Low.Absent() || !i.High.Absent() {
			t.Errorf("share of no games: %+v", i)
		}
	}
}

// Nothing and all are shares whose intervals end there exactly.
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

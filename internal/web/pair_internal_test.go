package web

import (
	"math"
	"testing"

	"versus2048/tournament/rating"
)

func TestVerdict(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		elo  rating.Interval
		want string
	}{
		{rating.Interval{Value: 70, Low: 3, High: 137}, "A is stronger by 70 ± 67 Elo."},
		{rating.Interval{Value: -70, Low: -137, High: -3}, "B is stronger by 70 ± 67 Elo."},
		{rating.Interval{Value: 10, Low: -57, High: 77}, "A is ahead by 10 ± 67 Elo, which may be chance."},
		{rating.Interval{Value: 0.2, Low: -50, High: 50}, "A and B are equally strong, ± 50 Elo."},
		{rating.Interval{Value: inf, Low: 100, High: inf}, "A is stronger by at least 100 Elo: it has won every match."},
		{rating.Interval{Value: -inf, Low: -inf, High: -100}, "B is stronger by at least 100 Elo: it has won every match."},
		{rating.Interval{Value: 500, Low: 300, High: inf}, "A is stronger by 500 Elo, and by at least 300."},
		{rating.Interval{Value: inf, Low: -inf, High: inf}, "A has won every match; how much stronger it is cannot be said yet."},
	} {
		if got := verdict(c.elo, true, "A", "B"); got != c.want {
			t.Errorf("%v: %q, want %q", c.elo, got, c.want)
		}
	}
}

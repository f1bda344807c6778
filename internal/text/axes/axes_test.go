package axes_test

import (
	"strings"
	"testing"

	"versus2048/internal/text/axes"
)

// The numbers on an axis are round, and as many as were asked for at most.
func TestTicks(t *testing.T) {
	for _, tc := range []struct {
		low, high, most float64
		want            string
	}{
		{0, 74000, 6, "0 20000 40000 60000"},
		{-900, 620, 8, "-800 -600 -400 -200 0 200 400 600"},
		{-1, 1, 8, "-1.0 -0.5 0.0 0.5 1.0"},
		{-0.2, 10, 3, "0 5 10"},
		{0, 10, 10, "0 1 2 3 4 5 6 7 8 9 10"},
		{0, 0.07, 8, "0.00 0.01 0.02 0.03 0.04 0.05 0.06 0.07"},
	} {
		var labels []string
		for _, tick := range axes.Ticks(tc.low, tc.high, tc.most) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != tc.want {
			t.Errorf("from %v to %v: %s, want %s", tc.low, tc.high, got, tc.want)
		}
	}
}

package report

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// Figures are those of gonum, to the last digit.
func TestMomentsAndQuantiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	for range 300 {
		var d distribution
		var all []float64
		for range 3 + random.IntN(100) {
			all = append(all, float64(random.IntN(1<<random.IntN(16)))/2)
			d.add(all[len(all)-1])
		}
		slices.Sort(all)
		x, counts := d.values()
		sum, n := squares(x, counts)
		share := 1 - random.Float64()
		for name, f := range map[string]struct{ got, want float64 }{
			"mean":               {mean(x, counts), stat.Mean(x, counts)},
			"variance":           {sum / n, stat.PopVariance(x, counts)},
			"deviation":          {deviation(x, counts), stat.StdDev(x, counts)},
			"quantile of counts": {d.quantile(share), stat.Quantile(share, stat.Empirical, x, counts)},
			"quantile":           {quantile(share, all), stat.Quantile(share, stat.Empirical, all, nil)},
		} {
			if f.got != f.want {
				t.Errorf("%v: the %s is %v, want %v", all, name, f.got, f.want)
			}
		}
		if got, want := skewness(x, counts), stat.Skew(x, counts); sum > 0 && got != want {
			t.Errorf("%v: the skewness is %v, want %v", all, got, want)
		}
	}
}

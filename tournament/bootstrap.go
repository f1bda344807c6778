package tournament

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"

	"versus2048/tournament/rating"
)

// What every interval is made with.
const (
	intervalLevel     = rating.Level
	intervalResamples = 10_000
)

// Estimate is a mean over matches with an interval: the percentile bootstrap of
// Efron 1979. Resampling whole matches keeps the two scores of a match
// together. With few matches the interval is too narrow, as every bootstrap
// is: of two matches it only spans the two.
type Estimate struct {
	Value     Figure  `json:"value"`
	Low       Figure  `json:"low"`
	High      Figure  `json:"high"`
	Level     float64 `json:"level"`     // how often such an interval holds the true mean, 0 to 1
	Matches   int     `json:"matches"`   // that it is a mean over
	Resamples int     `json:"resamples"` // drawn for the interval
	Seed      uint64  `json:"seed"`      // that they were drawn from
	Needs     string  `json:"needs,omitempty"`
}

// newEstimate is the mean of x, one number a match, with its interval.
func newEstimate(x []float64, seed uint64) Estimate {
	e := Estimate{
		Value:     meanOf(x, "match"),
		Level:     intervalLevel,
		Matches:   len(x),
		Resamples: intervalResamples,
		Seed:      seed,
	}
	if len(x) < 2 {
		e.Needs = "needs 2 matches"
		e.Low, e.High = Figure{Needs: e.Needs}, Figure{Needs: e.Needs}
		return e
	}
	low, high := bootstrap(x, intervalResamples, intervalLevel, seed)
	e.Low, e.High = Figure{Value: low}, Figure{Value: high}
	return e
}

// bootstrap is the percentile interval of the mean of x, which is not empty.
func bootstrap(x []float64, resamples int, level float64, seed uint64) (low, high float64) {
	random := rand.New(rand.NewPCG(seed, 0))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range x {
			sum += x[random.IntN(len(x))]
		}
		means[i] = sum / float64(len(x))
	}
	slices.Sort(means)
	tail := (1 - level) / 2
	return stat.Quantile(tail, stat.Empirical, means, nil), stat.Quantile(1-tail, stat.Empirical, means, nil)
}

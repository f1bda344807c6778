package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"versus2048/internal/text/terminal"
	"versus2048/tournament/rating"
)

// The level of the interval of every [Estimate], and the number of resamples if they are drawn.
const (
	intervalLevel     = rating.Level
	intervalResamples = 10_000
)

// manyMatches is the largest number n of matches for which resamples are drawn. With more matches, bootstrapLimit
// computes the interval, without the terms of the order of 1/n of its width. These terms are then far below 3 %, the
// variation of the ends of an interval from 10,000 resamples.
const manyMatches = 1000

// Estimate is a mean over matches with an interval: the percentile bootstrap of Efron 1979. Resampling whole matches
// keeps the two scores of a match together. With few matches the interval is too narrow: for two matches it only
// spans the two. Above 1000 matches its ends are the limits for ever more resamples, by the expansion of Cornish and
// Fisher up to the term of the skewness (Hall 1992, The Bootstrap and Edgeworth Expansion).
type Estimate struct {
	Value     Figure  `json:"value"`
	Low       Figure  `json:"low"`
	High      Figure  `json:"high"`
	Level     float64 `json:"level"`     // the probability that such an interval holds the true mean, 0 to 1
	Matches   int     `json:"matches"`   // the number of matches in the mean
	Resamples int     `json:"resamples"` // drawn if there is an interval, 0 if its limit was computed
	Seed      uint64  `json:"seed"`      // for drawing the resamples
	Needs     string  `json:"needs,omitempty"`
}

// differences are the numbers for an [Estimate], one for each match.
type differences struct {
	all   distribution
	first []float64 // in order, while they are few enough for resampling
}

func (d *differences) add(x float64) {
	d.all.add(x)
	if d.all.n <= manyMatches {
		d.first = append(d.first, x)
	} else {
		d.first = nil
	}
}

func (d *differences) estimate(seed uint64) Estimate {
	e := Estimate{
		Value:     d.all.mean("match"),
		Level:     intervalLevel,
		Matches:   d.all.n,
		Resamples: intervalResamples,
		Seed:      seed,
	}
	if d.all.n < 2 {
		e.Needs = "needs 2 matches"
		e.Low, e.High = Figure{Needs: e.Needs}, Figure{Needs: e.Needs}
		return e
	}
	var low, high float64
	if d.all.n > manyMatches {
		e.Resamples = 0
		low, high = bootstrapLimit(&d.all, intervalLevel)
	} else {
		low, high = bootstrap(d.first, intervalResamples, intervalLevel, seed)
	}
	e.Low, e.High = Figure{Value: low}, Figure{Value: high}
	return e
}

// text returns the estimate with its interval, or with the number of matches that the interval needs.
func (e Estimate) text() string {
	if e.Needs != "" {
		return fmt.Sprintf("%s [%s]", e.Value.Text(1), e.Needs)
	}
	return fmt.Sprintf("%s [%s, %s]", e.Value.Text(1), e.Low.Text(1), e.High.Text(1))
}

// note describes the interval's method and its matches.
func (e Estimate) note(leftOut, repeated int) string {
	note := "difference over " + terminal.Count(e.Matches, "match", "matches")
	switch {
	case e.Needs != "":
	case e.Resamples == 0:
		note += "; interval: bootstrap by match, in the limit of many resamples"
	default:
		note += fmt.Sprintf("; interval: bootstrap by match, %d resamples, seed %d", e.Resamples, e.Seed)
	}
	if leftOut > 0 {
		note += fmt.Sprintf("; left out: %d, where a game was cut short or might have been", leftOut)
	}
	if repeated > 0 {
		note += fmt.Sprintf("; counted once: %d that repeat an earlier one", repeated)
	}
	return note
}

// bootstrap returns the percentile interval of the mean of x, which is not empty.
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
	return quantile(tail, means), quantile(1-tail, means)
}

// quantile returns the smallest of the sorted numbers that has at least this share of all numbers at or
// below it. The share is above 0.
func quantile(share float64, sorted []float64) float64 {
	return sorted[int(math.Ceil(share*float64(len(sorted))))-1]
}

// bootstrapLimit returns the limit of the percentile interval of the mean of many numbers, for ever
// more resamples.
func bootstrapLimit(d *distribution, level float64) (low, high float64) {
	x, counts := d.values()
	middle := mean(x, counts)
	sum, n := squares(x, counts)
	if sum == 0 {
		return middle, middle
	}
	z, root := mathext.NormalQuantile((1+level)/2), math.Sqrt(n)
	shift := skewness(x, counts) * (z*z - 1) / (6 * root)
	width := math.Sqrt(sum/n) / root
	return middle + width*(shift-z), middle + width*(shift+z)
}

package report

import (
	"maps"
	"math"
	"slices"
)

// distribution counts the occurrences of each number. Scores and their differences have few different values, so a
// distribution stays small for any number of games. The zero distribution is empty.
type distribution struct {
	counts map[float64]float64
	n      int
}

func (d *distribution) add(x float64) {
	if d.counts == nil {
		d.counts = map[float64]float64{}
	}
	d.counts[x]++
	d.n++
}

func (d *distribution) merge(e *distribution) {
	if d.counts == nil {
		d.counts = map[float64]float64{}
	}
	for x, n := range e.counts {
		d.counts[x] += n
	}
	d.n += e.n
}

// values returns the different numbers in ascending order, and the count of each.
func (d *distribution) values() (x, counts []float64) {
	x = slices.Sorted(maps.Keys(d.counts))
	for _, value := range x {
		counts = append(counts, d.counts[value])
	}
	return x, counts
}

// figure returns the result of compute for the values. It is absent if there are fewer numbers than
// compute needs.
func (d *distribution) figure(needs int, unit string, compute func(x, counts []float64) float64) Figure {
	if d.n >= needs {
		return Figure{Value: compute(d.values())}
	}
	return Figure{Needs: needed(needs, unit)}
}

// needed says how many of a unit a figure needs, 1 or 2.
func needed(needs int, unit string) string {
	if needs > 1 {
		return "needs 2 " + unit + "s"
	}
	return "needs 1 " + unit
}

func (d *distribution) mean(unit string) Figure { return d.figure(1, unit, mean) }

func (d *distribution) deviation(unit string) Figure { return d.figure(2, unit, deviation) }

func (d *distribution) smallest(unit string) Figure {
	return d.figure(1, unit, func(x, _ []float64) float64 { return x[0] })
}

func (d *distribution) largest(unit string) Figure {
	return d.figure(1, unit, func(x, _ []float64) float64 { return x[len(x)-1] })
}

// quantile returns the quantile for a share, 0 to 1: the smallest x so that at least this share of the numbers are x or
// less. The distribution must not be empty.
func (d *distribution) quantile(share float64) float64 {
	x, counts := d.values()
	k, reached := 0, counts[0]
	for reached < share*float64(d.n) {
		k++
		reached += counts[k]
	}
	return x[k]
}

func mean(x, counts []float64) float64 {
	sum, n := 0.0, 0.0
	for i, count := range counts {
		sum += count * x[i]
		n += count
	}
	return sum / n
}

// squares returns the sum of the squared differences from the mean, and the number of differences. The error
// from rounding the mean is taken off (Chan, Golub and LeVeque 1983, formula 1.7).
func squares(x, counts []float64) (sum, n float64) {
	centre, rest := mean(x, counts), 0.0
	for i, count := range counts {
		difference := count * (x[i] - centre)
		sum += difference * (x[i] - centre)
		rest += difference
		n += count
	}
	return sum - rest*rest/n, n
}

// deviation returns the standard deviation, estimated from a sample.
func deviation(x, counts []float64) float64 {
	sum, n := squares(x, counts)
	return math.Sqrt(sum / (n - 1))
}

// skewness returns the adjusted skewness of a sample (Doane and Seward 2011). The sample must have three
// numbers or more, not all the same.
func skewness(x, counts []float64) float64 {
	centre, unit := mean(x, counts), deviation(x, counts)
	sum, n := 0.0, 0.0
	for i, count := range counts {
		z := (x[i] - centre) / unit
		sum += count * z * z * z
		n += count
	}
	return sum * (n / (n - 1) * (1 / (n - 2)))
}

// Mean collects numbers, one for each game, to estimate their mean. The zero Mean is empty. Scores
// have few different values, so it stays small for any number of games.
type Mean struct{ all distribution }

// Add adds a number.
func (m *Mean) Add(x float64) { m.all.add(x) }

// Games returns the number of numbers that were added.
func (m *Mean) Games() int { return m.all.n }

// manyGames is the largest number of games for which the bootstrap draws samples. For more games, bootstrapLimit
// computes the limit of the interval for ever more samples, since a reader who waits for an answer would notice the
// time of the draws.
const manyGames = 100

// Interval returns the mean with an interval as in [Estimate], by game. It does not depend on the
// order of the numbers.
func (m *Mean) Interval() Interval {
	i := Interval{Value: m.all.mean("game")}
	if m.all.n < 2 {
		i.Low, i.High = Figure{Needs: "needs 2 games"}, Figure{Needs: "needs 2 games"}
		return i
	}
	var low, high float64
	if m.all.n > manyGames {
		low, high = bootstrapLimit(&m.all, intervalLevel)
	} else {
		low, high = bootstrap(m.sorted(), intervalResamples, intervalLevel, 0)
	}
	i.Low, i.High = Figure{Value: low}, Figure{Value: high}
	return i
}

func (m *Mean) sorted() (all []float64) {
	x, counts := m.all.values()
	for i, value := range x {
		for range int(counts[i]) {
			all = append(all, value)
		}
	}
	return all
}

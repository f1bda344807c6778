package report

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// distribution counts how often each number occurs. Scores and their differences have few different
// values, so it stays small for any number of games. The zero distribution is empty.
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

// values returns the different numbers in order, and how often each occurs.
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

func (d *distribution) mean(unit string) Figure { return d.figure(1, unit, stat.Mean) }

func (d *distribution) deviation(unit string) Figure { return d.figure(2, unit, stat.StdDev) }

func (d *distribution) smallest(unit string) Figure {
	return d.figure(1, unit, func(x, _ []float64) float64 { return x[0] })
}

func (d *distribution) largest(unit string) Figure {
	return d.figure(1, unit, func(x, _ []float64) float64 { return x[len(x)-1] })
}

// quantile returns the smallest number that is not exceeded by at least this share of the numbers.
// The distribution must not be empty.
func (d *distribution) quantile(share float64) float64 {
	x, counts := d.values()
	return stat.Quantile(share, stat.Empirical, x, counts)
}

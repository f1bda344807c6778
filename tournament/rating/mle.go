package rating

import (
	"math"
	"slices"
)

// withMean is the most likely distribution with the mean score s, 0 < s < 1, given
// the shares d, none of which is zero.
func (d distribution) withMean(s float64) distribution {
	values := make([]float64, len(d))
	for i := range d {
		values[i] = d.score(i) - s
	}
	return d.balanced(values)
}

// withT is the most likely distribution whose mean score is t standard deviations
// above 1/2, given the shares d, none of which is zero: the maximum that Van den
// Bergh, Comments on Normalized Elo, section 4.1, asks for. His iteration need not
// converge where nearly all trials ended alike; this one does, for |t| below 2.8.
//
// Let b be the score less 1/2 and r the square root of E b^2. The condition is
// that E b = tau r where tau = t / sqrt(1+t^2). For a given r that is linear,
// E (b - tau (b^2/r + r) / 2) = 0, so that r alone is left to find.
func (d distribution) withT(t float64) distribution {
	length := math.Hypot(1, t)
	tau := t / length
	values := make([]float64, len(d))
	var p distribution
	// At the least r all probability must go to the smallest win (or loss, if t is
	// negative), and E b^2 is above r^2. At the greatest it can't be.
	least, greatest := math.Abs(t)/(1+length)*d.step(), 0.5
	root(least, greatest, (least+greatest)/2, func(r float64) (sign, next float64) {
		square := 0.0
		for i := range d {
			b := d.score(i) - 0.5
			values[i] = b - tau*(b*b/r+r)/2
		}
		p = d.balanced(values)
		for i := range d {
			b := d.score(i) - 0.5
			square += p[i] * b * b
		}
		return square - r*r, math.Sqrt(square)
	})
	return p
}

// balanced is the most likely distribution in which the values, which have both
// signs, have mean zero, given the shares d: each share divided by 1 + x value
// (Van den Bergh, Comments on Normalized Elo, proposition 1.1; Owen 1988).
func (d distribution) balanced(values []float64) distribution {
	p := make(distribution, len(d))
	x := root(-1/slices.Max(values), -1/slices.Min(values), 0, func(x float64) (mean, next float64) {
		slope := 0.0
		for i, v := range values {
			p[i] = d[i] / (1 + x*v)
			mean += p[i] * v
			slope -= p[i] * v * v / (1 + x*v)
		}
		return mean, x - mean/slope
	})
	for i, v := range values {
		p[i] = d[i] / (1 + x*v)
	}
	return p
}

// root finds where f, which is positive next to low and negative next to high, is
// zero. Beside its value at x, f says where it expects its root; where that leads
// out of the interval, bisection goes on. Gonum finds minima but no roots.
func root(low, high, x float64, f func(x float64) (value, next float64)) float64 {
	const tolerance, rounds = 1e-15, 200
	for range rounds {
		value, next := f(x)
		if value > 0 {
			low = x
		} else {
			high = x
		}
		if math.Abs(next-x) <= tolerance*(1+math.Abs(x)) {
			return next
		}
		if x = next; !(low < x && x < high) {
			x = (low + high) / 2
		}
	}
	return x
}

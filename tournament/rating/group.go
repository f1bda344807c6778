package rating

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// rateGroup rates bots that matches connect.
func rateGroup(members []int, results []Result) Group {
	n := len(members)
	results = among(members, results)
	model := newDavidson(n, results)
	g := Group{Members: members, Prior: !bounded(n, results)}
	if g.Prior {
		model = model.withPrior()
	}
	x, errors := model.fit()
	nu := math.Exp(x[model.bots])
	g.DrawRate = nu / (2 + nu)
	g.DesignEffect = model.designEffect(n, results, x)
	g.above, g.below = perfect(n, results)
	g.ratings, g.covariance = ratings(n, x, errors)
	g.covariance.ScaleSym(g.DesignEffect, g.covariance)
	return g
}

// ratings are those of the first n bots, with mean 0, and their covariance: that
// of the parameters, carried over by the derivatives.
func ratings(n int, x []float64, errors mat.Symmetric) ([]float64, *mat.SymDense) {
	last := len(x) - 1
	nu := math.Exp(x[last])
	scale := eloScale * 2 / (2 + nu)
	mean := floats.Sum(x[:n]) / float64(n)
	elo := make([]float64, n)
	derivatives := mat.NewDense(n, len(x), nil)
	for i := range n {
		elo[i] = scale * (x[i] - mean)
		for j := range n {
			derivatives.Set(i, j, -scale/float64(n))
		}
		derivatives.Set(i, i, scale*(1-1/float64(n)))
		derivatives.Set(i, last, -elo[i]*nu/(2+nu))
	}
	return elo, transformed(derivatives, errors)
}

// designEffect is 1 plus the correlation of two matches on one opening (Kish,
// Survey Sampling, 1965), from the squares of what pairs scored beyond what was
// expected of them. The correlation can't be negative: an opening that favours one
// bot favours it in both matches, as both play both roles. Where there are not more
// pairs than parameters it counts as 1, the most there is.
func (d davidson) designEffect(n int, results []Result, x []float64) float64 {
	var squares, independent, pairs float64
	for _, r := range results {
		p := d.probabilities(record{a: r.A, b: r.B}, x)
		mean, variance := distribution(p[:]).moments()
		for points, count := range r.Pairs {
			residual := float64(points)/2 - 2*mean
			squares += float64(count) * residual * residual
			independent += float64(count) * 2 * variance
			pairs += float64(count)
		}
	}
	switch freedom := pairs - float64(n-1); {
	case pairs == 0:
		return 1
	case freedom <= 0:
		return 2
	default:
		return min(max(1, squares/independent*pairs/freedom), 2)
	}
}

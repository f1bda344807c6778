package puct

import (
	"math"
	"math/rand/v2"

	"versus2048/players/playout"
)

// gamma draws from a gamma distribution of scale 1. It draws the same numbers as package distuv of gonum, which would
// bring all of gonum's matrices into a program.
type gamma struct {
	*rand.Rand
	alpha float64 // its shape, above 0
}

func newGamma(alpha float64, random *playout.Generator) gamma {
	return gamma{rand.New(source{random}), alpha} // #nosec G404 -- of a seed that is recorded
}

// source lets a library draw from a Generator.
type source struct{ *playout.Generator }

// Uint64 implements rand.Source.
func (s source) Uint64() uint64 { return s.Next() }

func (g gamma) draw() float64 {
	switch {
	case g.alpha == 1:
		return g.ExpFloat64()
	case g.alpha < 0.2:
		return g.drawSmall()
	case g.alpha < 1:
		power := math.Pow(g.Float64(), 1/g.alpha)
		return power * g.drawLarge(g.alpha+1)
	}
	return g.drawLarge(g.alpha)
}

// drawSmall draws for a small alpha (Liu, Martin and Syring, Simulating from a gamma distribution with small shape
// parameter, 2017).
func (g gamma) drawSmall() float64 {
	lambda := 1/g.alpha - 1
	ratio := math.Log1p(1 / lambda / math.E)
	for {
		z := g.ExpFloat64() - ratio
		if z < 0 {
			z = -g.ExpFloat64() / lambda
		}
		proposed := -z
		if z < 0 {
			proposed = lambda*z - 1
		}
		x := math.Exp(-z / g.alpha)
		if -z-x-proposed > -g.ExpFloat64() {
			return x
		}
	}
}

// drawLarge draws for an alpha of 1 or more (Marsaglia and Tsang, A simple method for generating gamma variables, 2000).
func (g gamma) drawLarge(alpha float64) float64 {
	d := alpha - 1.0/3
	c := 1 / (3 * math.Sqrt(d))
	for {
		x := g.NormFloat64()
		v := 1 + x*c
		if v <= 0 {
			continue
		}
		v = v * v * v
		u := g.Float64()
		if u < 1-0.0331*x*x*x*x || math.Log(u) < x*x/2+d*(1-v+math.Log(v)) {
			return d * v
		}
	}
}

package puct

import (
	"math"
	"math/rand/v2"

	"versus2048/players/playout"
)

// gamma draws from a gamma distribution of scale 1. It draws the numbers that gonum draws, so that a
// seed gives the same games as in earlier versions. An import of gonum itself would link LAPACK into the programs.
type gamma struct {
	*rand.Rand
	alpha float64 // its shape, above 0
}

func newGamma(alpha float64, random *playout.Generator) gamma {
	return gamma{rand.New(source{random}), alpha} // #nosec G404 -- the seed is recorded
}

// source lets a library draw from a Generator.
type source struct{ *playout.Generator }

// Uint64 implements rand.Source.
func (s source) Uint64() uint64 { return s.Next() }

func (g gamma) draw() float64 {
	third := g.alpha - 1.0/3
	switch {
	case g.alpha == 1:
		return g.ExpFloat64()
	case g.alpha < 0.2:
		return g.drawSmall()
	case g.alpha < 1: // a power of a uniform number times a draw for alpha+1
		return g.drawLarge(third+1, math.Pow(g.Float64(), 1/g.alpha))
	}
	return g.drawLarge(third, 1)
}

// drawSmall draws for a small alpha (Liu, Martin and Syring, Simulating from a gamma distribution
// with small shape parameter, 2017): minus alpha times the draw's logarithm is nearly exponential.
func (g gamma) drawSmall() float64 {
	slope := 1/g.alpha - 1
	start := -math.Log1p(1 / slope / math.E)
	for {
		z := g.ExpFloat64() + start
		proposed := -z // the logarithm of the density of the proposal
		if z < 0 {
			z = -g.ExpFloat64() / slope
			proposed = slope*z - 1
		}
		x := math.Exp(-z / g.alpha)
		if -z-x-proposed > -g.ExpFloat64() {
			return x
		}
	}
}

// drawLarge returns a factor times a draw for an alpha of third + 1/3, at least 1 (Marsaglia and
// Tsang, A simple method for generating gamma variables, 2000).
func (g gamma) drawLarge(third, factor float64) float64 {
	width := 1 / (3 * math.Sqrt(third))
	for {
		x := g.NormFloat64()
		cube := 1 + x*width
		if cube <= 0 {
			continue
		}
		cube = cube * cube * cube
		u := g.Float64()
		if u < 1-0.0331*(x*x)*(x*x) || math.Log(u) < 0.5*x*x+third*(1-cube+math.Log(cube)) {
			return factor * third * cube
		}
	}
}

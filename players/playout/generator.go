package playout

import (
	"math/bits"

	"versus2048/rules"
)

// Generator draws random numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014). A playout draws hundreds of numbers. Unlike the sources of math/rand/v2, this generator
// can be inlined into the playout. A copy of a Generator draws the same numbers as the original.
type Generator struct{ state uint64 }

// increment is the difference between the states of two successive numbers.
const increment = 0x9E37_79B9_7F4A_7C15

// NewGenerator mixes the parts into one seed. Even similar parts give unrelated generators.
func NewGenerator(parts ...uint64) Generator {
	var g Generator
	for _, part := range parts {
		g.state = g.Next() ^ part
	}
	return Generator{g.Next()}
}

// Next returns 64 random bits.
func (g *Generator) Next() uint64 {
	g.state += increment
	z := g.state
	z = (z ^ z>>30) * 0xBF58_476D_1CE4_E5B9
	z = (z ^ z>>27) * 0x94D0_49BB_1331_11EB
	return z ^ z>>31
}

// skip skips n numbers, or goes back by -n if n is negative.
func (g *Generator) skip(n int) { g.state += uint64(n) * increment }

// Below returns a number from 0 to n-1, drawn uniformly. Its bias, n in 2^64, is too small to notice.
func (g *Generator) Below(n int) int {
	high, _ := bits.Mul64(g.Next(), uint64(n))
	return int(high)
}

// Shuffle puts the moves into an order drawn uniformly.
func (g *Generator) Shuffle(moves []rules.Move) {
	for i := len(moves) - 1; i > 0; i-- {
		j := g.Below(i + 1)
		moves[i], moves[j] = moves[j], moves[i]
	}
}

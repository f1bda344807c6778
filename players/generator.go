package players

import (
	"math/bits"

	"versus2048/rules"
)

// generator draws random numbers: SplitMix64 (Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators", 2014). A playout draws hundreds
// of numbers, and unlike the sources of math/rand/v2 this one is inlined into
// it. It is its seed's state and nothing else, so copying it forks it.
type generator struct{ state uint64 }

// newGenerator mixes the parts into one state. Neighbouring parts give
// unrelated states.
func newGenerator(parts ...uint64) generator {
	var g generator
	for _, part := range parts {
		g.state = g.next() ^ part
	}
	return generator{g.next()}
}

func (g *generator) next() uint64 {
	g.state += 0x9E37_79B9_7F4A_7C15
	z := g.state
	z = (z ^ z>>30) * 0xBF58_476D_1CE4_E5B9
	z = (z ^ z>>27) * 0x94D0_49BB_1331_11EB
	return z ^ z>>31
}

// below draws from 0 to n-1. The bias, n in 2^64, is too small to ever show.
func (g *generator) below(n int) int {
	high, _ := bits.Mul64(g.next(), uint64(n))
	return int(high)
}

// shuffle puts moves into an order drawn uniformly.
func (g *generator) shuffle(moves []rules.Move) {
	for i := len(moves) - 1; i > 0; i-- {
		j := g.below(i + 1)
		moves[i], moves[j] = moves[j], moves[i]
	}
}

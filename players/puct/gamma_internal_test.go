package puct

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/players/playout"
)

// The draws are those of gonum, so that games with noise are the same as with earlier versions.
func TestGammaDraws(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.1, 0.19, 0.2, 0.3, 0.99, 1, 1.5, 10, 100} {
		here, there := playout.NewGenerator(7), playout.NewGenerator(7)
		g, want := newGamma(alpha, &here), distuv.Gamma{Alpha: alpha, Beta: 1, Src: source{&there}}
		for i := range 2000 {
			if x, y := g.draw(), want.Rand(); math.Abs(x-y) > 1e-14*y {
				t.Fatalf("alpha %v, draw %d: %v, want %v", alpha, i, x, y)
			}
		}
	}
}

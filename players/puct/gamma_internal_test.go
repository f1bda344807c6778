package puct

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"versus2048/players/playout"
)

// Games with noise are the same as in earlier versions, which drew by gonum.
func TestGammaDraws(t *testing.T) {
	for _, alpha := range []float64{0.01, 0.03, 0.19, 0.2, 0.3, 0.99, 1, 1.5, 10, 100} {
		here, there := playout.NewGenerator(7), playout.NewGenerator(7)
		g, want := newGamma(alpha, &here), distuv.Gamma{Alpha: alpha, Beta: 1, Src: source{&there}}
		for i := range 5000 {
			if x, y := g.draw(), want.Rand(); x != y {
				t.Fatalf("alpha %v, draw %d: %v, want %v", alpha, i, x, y)
			}
		}
	}
}

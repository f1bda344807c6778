package puct_test

import (
	"slices"
	"testing"

	"versus2048/players/playout"
	"versus2048/players/puct"
	"versus2048/rules"
)

// hashed is a model with numbers drawn by a hash. Its states are one number.
type hashed struct{ root uint32 }

// drawn returns a number from 0 to 1.
func drawn(x uint32) float64 { return float64(float32(mixed(x)>>8) / (1 << 24)) }

func mixed(x uint32) uint32 {
	x = (x ^ x>>16) * 0x45d9f3b
	x = (x ^ x>>16) * 0x45d9f3b
	return x ^ x>>16
}

func drawnLogits(s uint32, n int, salt uint32) (all []float32) {
	for i := range n {
		all = append(all, float32(2*drawn(s*131+7*uint32(i)+salt)))
	}
	return all
}

func (h hashed) Represent(rules.Board) []float32 { return []float32{float32(h.root)} }

func (hashed) Predict(state []float32) ([]float32, float64) {
	s := uint32(state[0])
	return drawnLogits(s, 4, 17), 10 * drawn(3*s+3)
}

func (hashed) Slide(state []float32, slide int) []float32 {
	return []float32{float32(mixed(4*uint32(state[0])+uint32(slide)+1) & 0xFFFF)}
}

func (hashed) Expect(after []float32) (gain, further float64, codes []float32) {
	s := uint32(after[0])
	return 2 * drawn(3*s+1), 10 * drawn(3*s+2), drawnLogits(s, 3, 11)
}

func (hashed) Follow(after []float32, code int) []float32 {
	return []float32{float32(mixed(8*uint32(after[0])+uint32(code)+5) & 0xFFFF)}
}

// The visits are from stochastic_muzero_policy of mctx 0.0.71, without noise, for the same model. mctx adds
// random numbers up to 1e-7 to break ties, but there are no ties here.
func TestAgreesWithMCTX(t *testing.T) {
	for _, test := range []struct {
		root        uint32
		simulations int
		visits      []int64 // N, S, W, E; in the first position East is illegal
	}{
		{997, 10, []int64{6, 0, 4, 0}},
		{997, 60, []int64{6, 2, 52, 0}},
		{1994, 10, []int64{0, 10, 0, 0}},
		{1994, 60, []int64{30, 22, 2, 6}},
		{2991, 10, []int64{9, 1, 0, 0}},
		{2991, 60, []int64{53, 6, 1, 0}},
		{3988, 10, []int64{0, 0, 10, 0}},
		{3988, 60, []int64{2, 1, 55, 2}},
		{4985, 10, []int64{1, 5, 4, 0}},
		{4985, 60, []int64{1, 50, 9, 0}},
		{5982, 10, []int64{0, 8, 2, 0}},
		{5982, 60, []int64{7, 50, 2, 1}},
		{6979, 10, []int64{1, 9, 0, 0}},
		{6979, 60, []int64{3, 39, 18, 0}},
		{7976, 10, []int64{0, 0, 9, 1}},
		{7976, 60, []int64{1, 0, 54, 5}},
	} {
		text := "0,0,0/0,2,0/0,0,0 D" // all slides are legal
		if test.root%2 == 1 {
			text = "0,0,0/0,0,2/0,0,0 D" // all but East
		}
		p, err := rules.ParsePosition(rules.Solo, text)
		if err != nil {
			t.Fatal(err)
		}
		c := puct.Defaults()
		c.Scaled = puct.Siblings
		s := puct.NewModelSearch(c, hashed{test.root})
		random := playout.NewGenerator(1)
		s.Choose(p, &random, made(test.simulations))
		visits := make([]int64, 4)
		for _, m := range s.Result().Moves {
			visits[m.Move-rules.North] = m.Visits
		}
		if !slices.Equal(visits, test.visits) {
			t.Errorf("root %d, %d simulations: visits %v, mctx has %v", test.root, test.simulations, visits, test.visits)
		}
	}
}

package ntuple

import (
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/rules"
)

// With vectors, all structures find the same weights in the same order as without. Structures for 4x4 with
// their own code are compared as well.
func TestVectors(t *testing.T) {
	testkit.Long(t)
	random := rand.New(rand.NewPCG(8, 8))
	for _, size := range rules.Sizes() {
		for _, s := range Structures(size) {
			f := NewFeatures(s)
			weights := make([]byte, weightBytes*s.Weights())
			for i := range len(weights) / 8 {
				weights[8*i], weights[8*i+1] = byte(random.Uint32()), byte(random.Uint32())
			}
			n := newNetwork(s, Recipe{})
			n.divide(weights)
			fixed := n.stages[0].fixed
			if own := s.Name == "4x5" || s.Name == "4x6" && size == rules.Full; own != (fixed != nil) {
				t.Errorf("%s on %v has code of its own: %v, want %v", s.Name, size, !own, own)
			}
			for range 100 {
				b := randomBoard(random, size)
				got, want := f.NewNumbers(), f.NewNumbers()
				f.Numbers(got, b)
				f.numbersPortable(want, b)
				if !slices.Equal(got, want) {
					t.Fatalf("%s on %v, %x: numbers %v, want %v", s.Name, size, b, got, want)
				}
				if got, want := n.Of(b), n.points(n.sum(b)); got != want {
					t.Fatalf("%s on %v, %x: worth %d, want %d", s.Name, size, b, got, want)
				}
				if fixed != nil && int(fixed.sum(b)) != n.sum(b) {
					t.Fatalf("%s: %x adds up to %d, want %d", s.Name, b, fixed.sum(b), n.sum(b))
				}
			}
		}
	}
}

func randomBoard(random *rand.Rand, s rules.Size) (b rules.Board) {
	for y := range int(s.Height) {
		for x := range int(s.Width) {
			if k := random.IntN(16); k > 0 {
				b = b.With(4*y+x, k)
			}
		}
	}
	return b
}

// Numbers needs no memory beyond its room.
func TestNumbersAllocates(t *testing.T) {
	f := NewFeatures(Structures(rules.Full)[0])
	room := f.NewNumbers()
	if n := testing.AllocsPerRun(100, func() { f.Numbers(room, 0x1234_5678_9ABC_DEF0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

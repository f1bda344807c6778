package ntuple

import (
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/rules"
)

// With vectors the same weights are found as without, by all structures, in their order. The one for 4x4
// with code of its own is compared as well.
func TestVectors(t *testing.T) {
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
			for range 100 {
				b := randomBoard(random, size)
				got, want := f.Append([]uint32{7}, b), f.appendPortable([]uint32{7}, b)
				if !slices.Equal(got, want) {
					t.Fatalf("%s on %v, %x: numbers %v, want %v", s.Name, size, b, got, want)
				}
				if got, want := n.Of(b), n.points(n.sum(b)); got != want {
					t.Fatalf("%s on %v, %x: worth %d, want %d", s.Name, size, b, got, want)
				}
				if n.five != nil && int(n.five.sum(b)) != n.sum(b) {
					t.Fatalf("%s: %x adds up to %d, want %d", s.Name, b, n.five.sum(b), n.sum(b))
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

// Numbers of weights need no memory beyond the room that they are given.
func TestAppendAllocates(t *testing.T) {
	f := NewFeatures(Structures(rules.Full)[0])
	room := make([]uint32, 0, f.Count())
	if n := testing.AllocsPerRun(100, func() { f.Append(room, 0x1234_5678_9ABC_DEF0) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

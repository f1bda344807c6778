package proof

import (
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/rules"
)

// A delta set has its boards, and no others.
func TestDeltaSet(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 3)) // #nosec G404: the same each time
	for _, n := range []int{0, 1, deltaBlock - 1, deltaBlock, deltaBlock + 1, 10*deltaBlock + 3} {
		var all []rules.Board
		for range n {
			all = append(all, rules.Board(random.Uint64()>>random.IntN(60)))
		}
		slices.Sort(all)
		all = slices.Compact(all)
		s := newDeltaSet(all)
		if got := slices.Collect(s.all); !slices.Equal(got, all) {
			t.Fatalf("%d boards: %x, want %x", n, got, all)
		}
		for _, b := range append(all, 0, 1<<63, rules.Board(random.Uint64())) {
			for _, b := range []rules.Board{b - 1, b, b + 1} {
				if _, want := slices.BinarySearch(all, b); s.has(b) != want {
					t.Errorf("%d boards: has %x is %t", n, b, !want)
				}
			}
		}
	}
	if none := (*deltaSet)(nil); none.has(0) || none.bytes() != 0 || slices.Collect(none.all) != nil {
		t.Error("no set has boards")
	}
}

package proof

import (
	"math/rand/v2"
	"slices"
	"testing"

	"versus2048/rules"
)

// A set of boards has the boards that were added and not removed, while it grows.
func TestBoards(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) // #nosec G404: the same each time
	var s boards
	want := map[rules.Board]bool{}
	for range 20_000 {
		b := rules.Board(random.Uint64N(1 << 12)).Canonical(rules.Full)
		switch has := s.has(b); {
		case has != want[b]:
			t.Fatalf("%x: has %t, want %t", b, has, want[b])
		case has:
			s.remove(b)
			delete(want, b)
		default:
			s.add(b)
			want[b] = true
		}
	}
	got := s.sorted()
	if !slices.IsSorted(got) || len(got) != len(want) || slices.ContainsFunc(got, func(b rules.Board) bool { return !want[b] }) {
		t.Errorf("%d boards, want %d", len(got), len(want))
	}
}

package census

import (
	"math/rand/v2"
	"testing"
)

// Ranks start at 0 and have no gaps, and each rank leads back to its board.
func TestSpaceIsABijection(t *testing.T) {
	h := newHalves(9)
	for sum := range 10 {
		s := h.space(sum)
		at := cursor{space: s}
		size := s.first[sum+1]
		for rank := range size {
			b := at.board(rank)
			if got := s.rank(b); got != rank || b.Sum() != 2*sum {
				t.Fatalf("rank %d of sum %d: board %x with rank %d and sum %d", rank, sum, b, got, b.Sum()/2)
			}
		}
		if want := countBoards(16, sum); size != want {
			t.Errorf("%d boards of sum %d, want %d", size, sum, want)
		}
	}
}

// countBoards counts the ways to fill cells with tiles of that sum.
func countBoards(cells, sum int) uint64 {
	if cells == 0 {
		return map[bool]uint64{true: 1}[sum == 0]
	}
	n := countBoards(cells-1, sum)
	for tile := 1; tile <= sum; tile *= 2 {
		n += countBoards(cells-1, sum-tile)
	}
	return n
}

// A cursor also finds boards that are far apart, up to the largest sum.
func TestCursor(t *testing.T) {
	h := newHalves(maxSum / 2)
	rng := rand.New(rand.NewPCG(1, 4))
	for _, sum := range []int{1, 10, 100, 1000, maxSum / 2} {
		s := h.space(sum)
		if s.shift > 32 {
			t.Errorf("sum %d: a piece has 1<<%d ranks, too many for 32 bits", sum, s.shift)
		}
		at := cursor{space: s}
		size := s.first[sum+1]
		for rank := uint64(0); rank < size; rank += 1 + rng.Uint64N(size/100+1) {
			if b := at.board(rank); s.rank(b) != rank || b.Sum() != 2*sum {
				t.Fatalf("rank %d of sum %d: board %x", rank, sum, b)
			}
		}
	}
}

package alphabeta

import (
	"slices"
	"testing"

	"versus2048/rules"
)

// TestDeferred takes moves in their order, those that another thread is searching after all others, and
// none twice.
func TestDeferred(t *testing.T) {
	u := new(underway)
	for _, busy := range []rules.Board{1, 4} {
		u.begin(busy, 6)
	}
	var taken []int
	left, late := uint64(1<<5-1), deferred{}
	for late.more(&left) {
		i := takeLowest(&left)
		if late.defers(i, u, rules.Board(i), 6) {
			continue
		}
		taken = append(taken, i)
	}
	if want := []int{0, 2, 3, 1, 4}; !slices.Equal(taken, want) {
		t.Errorf("took %v, want %v", taken, want)
	}
}

// TestUnderway checks what one thread learns of another.
func TestUnderway(t *testing.T) {
	const board = rules.Board(0x1234)
	u := new(underway)
	u.begin(board, 6)
	u.begin(board, dividedPlies-1)
	if !u.has(board, 6) || u.has(board, 8) || u.has(board+1, 6) || u.has(board, dividedPlies-1) {
		t.Error("a search of another board or depth is taken for one that is under way")
	}
	if u.end(board, 6); u.has(board, 6) {
		t.Error("a search that has ended is still under way")
	}
	var alone *underway
	alone.begin(board, 6)
	if alone.has(board, 6) {
		t.Error("a single thread has company")
	}
	alone.end(board, 6)
}

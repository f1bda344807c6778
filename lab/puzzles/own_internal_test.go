package puzzles

import (
	"testing"

	"versus2048/players/exact"
)

// The puzzles that come with the program have the depths of the bots. A test of retrograde compares their values.
func TestOwnPuzzles(t *testing.T) {
	book, err := exact.OwnPuzzles()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(book.Puzzles); i += 50 {
		wantDepth(t, &book.Puzzles[i])
	}
}

// wantDepth compares the depth of a puzzle with the bots.
func wantDepth(t *testing.T, p *exact.Puzzle) {
	t.Helper()
	find, err := newFinder(p.Position.Rules())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := find.depth(t.Context(), p.Position, p.Best()); err != nil || got != p.Depth {
		t.Errorf("puzzle %d has the depth %d, %v; the file says %d", p.Number, got, err, p.Depth)
	}
}

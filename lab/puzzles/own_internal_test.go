package puzzles

import (
	"math"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

// The puzzles that come with the program have the values of the solved boards, and the depths of the bots.
func TestOwnPuzzles(t *testing.T) {
	book, err := exact.OwnPuzzles()
	if err != nil {
		t.Fatal(err)
	}
	boards := testkit.Shortened(t, []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 4, Height: 2}, {Width: 3, Height: 3}}, 2)
	for _, r := range rules.Rulesets() {
		for _, size := range boards {
			wantSolved(t, book, r, size)
		}
	}
	for i := 0; i < len(book.Puzzles); i += 50 {
		wantDepth(t, &book.Puzzles[i])
	}
}

// wantSolved compares the puzzles of a game with its solution.
func wantSolved(t *testing.T, book *exact.PuzzleBook, r rules.Ruleset, size rules.Size) {
	t.Helper()
	solution, err := retrograde.Solve(t.Context(), r, size, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range book.Puzzles {
		p := &book.Puzzles[i]
		if p.Position.Rules() != r || p.Position.Size() != size {
			continue
		}
		values, err := solution.Moves(p.Position)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			if want := float64(p.Position.Score()) + v.Value.Gain; math.Abs(p.Scores[i]-want) > 0.00501 {
				t.Errorf("puzzle %d, move %v: %v points, want %v", p.Number, v.Move, p.Scores[i], want)
			}
		}
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

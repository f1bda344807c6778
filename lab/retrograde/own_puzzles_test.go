package retrograde_test

import (
	"math"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

// The puzzles that come with the program have the values of the solved boards. The test is here since other tests of
// this package solve most of these boards, too.
func TestOwnPuzzles(t *testing.T) {
	book, err := exact.OwnPuzzles()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, r := range rules.Rulesets() {
		for _, size := range testkit.Shortened(t, []string{"2x2", "3x2", "4x2", "3x3"}, 2) {
			compared += comparePuzzles(t, book, solve(t, r, size))
		}
	}
	if compared == 0 {
		t.Error("no puzzle is of a solved board")
	}
}

// comparePuzzles compares the puzzles of a game with its solution, and counts them.
func comparePuzzles(t *testing.T, book *exact.PuzzleBook, solution *retrograde.Solution) (compared int) {
	t.Helper()
	for i := range book.Puzzles {
		p := &book.Puzzles[i]
		if p.Position.Rules() != solution.Rules() || p.Position.Size() != solution.Size() {
			continue
		}
		compared++
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
	return compared
}

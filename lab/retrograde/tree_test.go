package retrograde

import (
	"math"
	"strings"
	"testing"

	"versus2048/rules"
)

var smallest = rules.Size{Width: 2, Height: 2}

func newTree(t *testing.T, r rules.Ruleset) *Tree {
	t.Helper()
	tree, err := NewTree(r, smallest)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// Yamashita 2023 begins with two tiles and counts 110 positions before a slide. Two more positions have one tile. The
// value of the start is 66.9641 there.
func TestSoloAsPublished(t *testing.T) {
	tree := newTree(t, rules.Solo)
	positions, oneTile := 0, 0
	for _, row := range tree.Rows {
		for _, n := range row {
			if n.Position.SideToMove() == rules.Defender {
				positions++
				if n.Position.Board().EmptyCells(smallest) == 3 {
					oneTile++
				}
			}
		}
	}
	if positions != 112 || oneTile != 2 {
		t.Errorf("%d positions before a slide, %d of one tile; want 110 and 2 more", positions, oneTile)
	}
	if v := tree.Start().Value.Gain; math.Abs(v-66.9641) > 5e-5 {
		t.Errorf("the empty board is worth %v, want 66.9641", v)
	}
}

// tableUnit is larger than the rounding error of solo's values in a table.
const tableUnit = 1e-6

// Both ways to compute the values agree on every position and every move.
func TestValuesAgreeWithExact(t *testing.T) {
	for _, r := range rules.Rulesets() {
		solution, err := Solve(t.Context(), r, smallest, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range newTree(t, r).Rows {
			for _, n := range row {
				compare(t, n, solution)
			}
		}
	}
}

func compare(t *testing.T, n *Node, solution *Solution) {
	t.Helper()
	want, err := solution.Value(n.Position)
	if err != nil || math.Abs(n.Value.Gain-want.Gain) > tableUnit || n.Value.Plies != want.Plies {
		t.Errorf("%v %v: %v, want %v, %v", n.Position.Rules(), n.Position, n.Value, want, err)
	}
	best, err := solution.Best(n.Position)
	if err != nil {
		t.Fatal(err)
	}
	moves := 0
	for _, e := range n.Edges {
		if e.Best {
			moves += len(e.Moves)
		}
	}
	if moves != len(best) {
		t.Errorf("%v %v: %d perfect moves, want %v", n.Position.Rules(), n.Position, moves, best)
	}
}

// The chances of a node add up to 1, edges lead down, and perfect play from the start always continues until mate.
func TestTreeIsConsistent(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for row, nodes := range newTree(t, r).Rows {
			for _, n := range nodes {
				chance, onward := 0.0, n.Mated() || !n.OnLine
				for _, e := range n.Edges {
					chance += e.Chance
					onward = onward || e.To.OnLine
					if rowOf(e.To.Position) <= row {
						t.Errorf("%v: %v leads up to %v", r, n.Position, e.To.Position)
					}
				}
				if chance != 0 && math.Abs(chance-1) > 1e-12 || (chance != 0) != (r.Chance() && n.Position.SideToMove() == rules.Attacker) {
					t.Errorf("%v: chances of %v add up to %v", r, n.Position, chance)
				}
				if !onward {
					t.Errorf("%v: perfect play ends in %v", r, n.Position)
				}
			}
		}
	}
}

func TestSummary(t *testing.T) {
	want := "2x2 under gpcc2015: 33 positions before a slide, 9 of them mated, and 31 before a placement; value 68 in 29 plies"
	if got := newTree(t, rules.GPCC2015).Summary(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTooLarge(t *testing.T) {
	_, err := NewTree(rules.GPCC2015, rules.Size{Width: 3, Height: 2})
	if err == nil || !strings.Contains(err.Error(), "more than 2000 positions") {
		t.Errorf("a large board: %v", err)
	}
}

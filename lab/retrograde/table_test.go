package retrograde_test

import (
	"errors"
	"math"
	"sync"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

// solutions holds the games that were solved before, so that tests can share them.
var solutions sync.Map

func solve(t testing.TB, r rules.Ruleset, size string) *retrograde.Solution {
	t.Helper()
	name := r.String() + " " + size
	if known, ok := solutions.Load(name); ok {
		return known.(*retrograde.Solution)
	}
	s, err := rules.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	solution, err := retrograde.Solve(t.Context(), r, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	solutions.Store(name, solution)
	return solution
}

// Every position of the small boards, and every move, has the value that a full search finds.
func TestEveryValue(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for _, size := range testkit.Shortened(t, []string{"2x2", "3x2", "2x3"}, 1) {
			if size == "2x3" && r != rules.GPCC2016 {
				continue // the same as 3x2, checked once
			}
			t.Run(r.String()+" "+size, func(t *testing.T) {
				solution, all := solve(t, r, size), naive{}
				all.value(rules.NewPosition(r, solution.Size()))
				for _, want := range all {
					compare(t, solution.Table, all, want)
				}
			})
		}
	}
}

func compare(t *testing.T, table *exact.Table, all naive, want solved) {
	t.Helper()
	got, err := table.Value(want.position)
	if err != nil || !same(got, want.value) {
		t.Fatalf("%v is worth %v, %v, want %v", want.position, got, err, want.value)
	}
	if gain, ok := table.Gain(want.position.Board()); want.position.SideToMove() == rules.Attacker && (!ok || gain != got.Gain) {
		t.Fatalf("%v: %v points to come, %v, want %v", want.position, gain, ok, got.Gain)
	}
	moves, err := table.Moves(want.position)
	wanted := all.moves(want.position)
	if err != nil || len(moves) != len(wanted) {
		t.Fatalf("%v has the moves %v, %v, want %v", want.position, moves, err, wanted)
	}
	for i, m := range wanted {
		if moves[i].Move != m.Move || !same(moves[i].Value, m.Value) {
			t.Fatalf("%v: move %v, want %v", want.position, moves[i], m)
		}
	}
}

// same allows for the rounding of solo's values.
func same(v, w exact.Value) bool {
	return math.Abs(v.Gain-w.Gain) < 2e-8 && v.Plies == w.Plies
}

// The table holds the reachable positions and no others.
func TestUnreachable(t *testing.T) {
	for _, r := range rules.Rulesets() {
		solution, all := solve(t, r, "2x2"), naive{}
		all.value(rules.NewPosition(r, solution.Size()))
		for i := range 8 * 8 * 8 * 8 {
			tiles := [][]int{{1 << (i & 7) &^ 1, 1 << (i >> 3 & 7) &^ 1}, {1 << (i >> 6 & 7) &^ 1, 1 << (i >> 9) &^ 1}}
			for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
				score := 0
				for _, tile := range append(tiles[0], tiles[1]...) {
					score += scored(tile)
				}
				p, err := rules.PositionFrom(r, tiles, side, score, 0)
				if err != nil {
					continue // a full board with the attacker to move
				}
				_, reachable := all[state{p.Board(), side}]
				if _, ok := solution.Gain(p.Board()); side == rules.Attacker && ok != reachable {
					t.Fatalf("%v: the points to come are known: %v, reachable %v", p, ok, reachable)
				}
				if _, err := solution.Value(p); errors.Is(err, exact.ErrUnreachable) == reachable {
					t.Fatalf("%v: %v, reachable %v", p, err, reachable)
				}
			}
		}
	}
}

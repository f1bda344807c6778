package players

import (
	"slices"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestGreedy plays each position under many seeds: all of the best moves and
// no others must be chosen.
func TestGreedy(t *testing.T) {
	for _, test := range []struct {
		rules rules.Ruleset
		text  string
		best  []string
	}{
		{rules.GPCC2015, "2,2,0/8,0,0/8,0,0 D", []string{"N", "S"}}, // 16 beats 4
		{rules.GPCC2015, "2,2,0/4,8,0 D", []string{"E", "W"}},
		{rules.GPCC2015, "2,0/0,0 A", []string{"(2,2)"}}, // next to the other it would merge
		{rules.GPCC2016, "2,0/0,0 A", []string{"(1,2,4)", "(2,1,4)", "(2,2)", "(2,2,4)"}},
		{rules.GPCC2015, "4,0,0/8,2,0 A", []string{"(3,1)"}},
		{rules.GPCC2016, "2,8/4,0 A", []string{"(2,2)"}}, // mate
	} {
		p := searchtest.Position(t, test.rules, test.text)
		if got := chosen(t, "greedy", p); !slices.Equal(got, test.best) {
			t.Errorf("%v, %s: chose %v, want %v", test.rules, test.text, got, test.best)
		}
	}
}

// TestTiesAreDrawn checks that no bot prefers one of equal moves.
func TestTiesAreDrawn(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	all := []string{"(1,1)", "(1,2)", "(2,1)", "(2,2)"}
	for _, spec := range []string{"random", "greedy", "chance", "evminimax", "dag:playouts=1,canonical=true"} {
		if got := chosen(t, spec, p); !slices.Equal(got, all) {
			t.Errorf("%s: chose %v, want each of %v", spec, got, all)
		}
	}
}

// chosen are the moves that a bot plays in p under a hundred seeds, in
// alphabetical order.
func chosen(t *testing.T, spec string, p rules.Position) []string {
	t.Helper()
	var moves []string
	for seed := range uint64(100) {
		m, err := mustParse(t, spec).New(seed).Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m.String())
	}
	slices.Sort(moves)
	return slices.Compact(moves)
}

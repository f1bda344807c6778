package players

import (
	"fmt"
	"slices"
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestGreedy plays each position under many seeds: it must choose all of the best moves and no others.
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

// chosen returns the moves that a bot plays in p under a hundred seeds, in alphabetical order.
func chosen(t *testing.T, spec string, p rules.Position) []string {
	t.Helper()
	var moves []string
	for seed := range uint64(100) {
		m, err := mustParse(t, spec).New(Game{Seed: seed}).Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m.String())
	}
	slices.Sort(moves)
	return slices.Compact(moves)
}

// TestChance draws one placement in each of many games with neighbouring seeds. All cells must be equally
// likely, and one tile in ten must be a 4 if the rules have 4s.
func TestChance(t *testing.T) {
	fours := map[rules.Ruleset]float64{rules.GPCC2015: 0, rules.GPCC2016: 0.1, rules.Solo: 0.1}
	for r, share := range fours {
		p := searchtest.Position(t, r, "2,0,4/0,0,8 A")
		var four searchtest.Sample
		cells := map[int]*searchtest.Sample{1: {}, 4: {}, 5: {}}
		for seed := range uint64(5000) {
			m, err := Chance(Game{Seed: seed}).Choose(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			four.Count(m.IsFour())
			for c, s := range cells {
				s.Count(c == m.Cell())
			}
		}
		four.Near(t, r.String()+", share of 4s", share)
		for c, s := range cells {
			s.Near(t, fmt.Sprintf("%v, share of cell %d", r, c), 1.0/3)
		}
	}
}

// TestChanceIsTheBot checks that the spec "chance" draws the same moves as Chance.
func TestChanceIsTheBot(t *testing.T) {
	bot := mustParse(t, "chance")
	p := rules.NewPosition(rules.Solo, rules.Full)
	for seed := range uint64(20) {
		want, _ := Chance(Game{Seed: seed}).Choose(t.Context(), p)
		if got, err := bot.New(Game{Seed: seed}).Choose(t.Context(), p); got != want || err != nil {
			t.Errorf("seed %d: the bot plays %v (%v), Chance %v", seed, got, err, want)
		}
	}
}

// TestFirstTie checks that evminimax plays the first of equal moves with ties=first.
func TestFirstTie(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Size{Width: 2, Height: 2})
	player := mustParse(t, "evminimax:ties=first").New(Game{Seed: 1})
	for range 5 {
		if m, err := player.Choose(t.Context(), p); err != nil || m != rules.Place(0, false) {
			t.Errorf("chose %v, %v, want the first of four equal cells", m, err)
		}
	}
}

package players

import (
	"testing"

	"versus2048/players/searchtest"
	"versus2048/rules"
)

// TestTimeBudget searches for a time instead of a number of playouts. That it
// returns is half of the test.
func TestTimeBudget(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2015, rules.Full)
	for _, spec := range []string{"mcts:time=30,playouts=1", "dag:time=30,playouts=1,threads=2", "mctsplus:time=30,playouts=1"} {
		player := mustParse(t, spec).New(1).(Searcher)
		if _, err := player.Choose(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if n := player.LastSearch().Playouts; n < 2 {
			t.Errorf("%s: %d playouts", spec, n)
		}
	}
}

// TestTimedDepth searches to a depth that no time allows.
func TestTimedDepth(t *testing.T) {
	p := searchtest.Position(t, rules.GPCC2015, searchtest.Midgame)
	player := mustParse(t, "evminimax:depth=16,time=20").New(1).(Searcher)
	if _, err := player.Choose(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if n := len(player.LastSearch().Expanded); n < 3 || n > 31 {
		t.Errorf("looked %d plies ahead", n)
	}
}

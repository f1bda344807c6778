package players_test

import (
	"testing"

	"versus2048/players"
	"versus2048/players/playertest"
)

// TestConformance runs the suite for every kind: once with a small budget and,
// for those that search, once with one that no clock allows.
func TestConformance(t *testing.T) {
	specs := map[string]struct{ quick, patient string }{
		"random":    {quick: "random"},
		"greedy":    {quick: "greedy"},
		"chance":    {quick: "chance"},
		"evminimax": {"evminimax:depth=1", "evminimax:depth=8"},
		"mcts":      {"mcts:playouts=12,expand=2", "mcts:playouts=100000000"},
		"dag":       {"dag:playouts=12,expand=2", "dag:playouts=100000000"},
		"canonical": {"dag:playouts=12,expand=2,canonical=true", "dag:playouts=100000000,canonical=true"},
	}
	for _, k := range players.Kinds() {
		if _, ok := specs[k.Name]; !ok {
			t.Errorf("%s is not tested", k.Name)
		}
	}
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			suite := playertest.Suite{New: factory(t, spec.quick), Ended: true}
			if spec.patient != "" {
				suite.Patient = factory(t, spec.patient)
			}
			playertest.Run(t, suite)
		})
	}
}

func factory(t *testing.T, text string) func(*testing.T, playertest.Game) players.Player {
	t.Helper()
	spec, err := players.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return func(_ *testing.T, g playertest.Game) players.Player { return spec.New(g.Seed) }
}

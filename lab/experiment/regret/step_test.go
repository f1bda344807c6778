package regret

import (
	"math"
	"testing"

	"versus2048/rules"
)

func TestEffort(t *testing.T) {
	for text, want := range map[string]Effort{
		"mcts:playouts=100":     {"mcts", 100},
		"mcts":                  {"mcts", 10000},
		"dag:c=9,playouts=7":    {"dag:c=9", 7},
		"dag:playouts=7,time=5": {"dag:playouts=7,time=5", 0}, // the time decides
		"evminimax:depth=2":     {"evminimax:depth=2", 0},
	} {
		if got := effortOf(Bot{Name: text, Spec: spec(t, text)}); got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
}

// From 60, 44 and 12 points to 30, 22 and 6 the loss halves in each position over two doublings, so
// that the factor of each is 0.7071 without any uncertainty.
func TestSteps(t *testing.T) {
	s := threePositions(t)
	answers := func(share float64) []Answer {
		return []Answer{{rules.East, 60 * share}, {rules.East, 44 * share}, {rules.East, 12 * share}}
	}
	bots := []Bot{
		{"mcts:playouts=40", spec(t, "mcts:playouts=40"), answers(0.5)},
		{"random", spec(t, "random"), answers(1)},
		{"mcts:playouts=10", spec(t, "mcts:playouts=10"), answers(1)},
		{"mcts:playouts=80", spec(t, "mcts:playouts=80"), answers(0)},
	}
	steps := s.steps(bots)
	var defender []Step
	for _, step := range steps {
		if step.Role == rules.Defender {
			defender = append(defender, step)
		}
	}
	if len(defender) != 3 || defender[0].From != 10 || defender[0].To != 40 || defender[1].To != 80 || defender[2].From != 10 || defender[2].To != 80 {
		t.Fatalf("%+v", defender)
	}
	first, last := defender[0], defender[2]
	if math.Abs(first.Loss.Value.Value+58.0/3) > 1e-9 || first.Optimal.Value.Value != 0 {
		t.Errorf("10 to 40: %+v", first)
	}
	for _, f := range []float64{first.Doubling.Value.Value, first.Doubling.Low.Value, first.Doubling.High.Value} {
		if math.Abs(f-math.Sqrt(0.5)) > 1e-9 {
			t.Errorf("10 to 40: %+v", first.Doubling)
		}
	}
	if last.Optimal.Value.Value != 1 || !last.Doubling.Value.Absent() {
		t.Errorf("10 to 80, where nothing is lost: %+v", last)
	}
}

package puzzles

import (
	"math"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

// On solved boards a search to the end finds the exact values, or gives up.
func TestSearchIsExact(t *testing.T) {
	for _, r := range rules.Rulesets() {
		size := rules.Size{Width: 3, Height: 2}
		if r.Chance() {
			size.Width = 2
		}
		solution, err := retrograde.Solve(t.Context(), r, size, nil)
		if err != nil {
			t.Fatal(err)
		}
		decided, refused := 0, 0
		for game := range 5 {
			p := rules.NewPosition(r, size)
			for ply := 0; !p.Over(); ply++ {
				moves := p.AppendMoves(nil)
				p = p.Next(moves[(7*game+3*ply*ply)%len(moves)])
				switch gain, ok := newSearch(r, size).decide(p.Board(), p.SideToMove()); {
				case !ok:
					refused++
				default:
					decided++
					wantGain(t, solution.Table, p, gain)
				}
			}
		}
		if decided < 15 {
			t.Errorf("%v on %v: %d decided, %d refused", r, size, decided, refused)
		}
	}
}

// wantGain compares a gain with a table.
func wantGain(t *testing.T, table *exact.Table, p rules.Position, gain float64) {
	t.Helper()
	value, err := table.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(value.Gain-gain) > 1e-6 { // the rounding of a table of solo
		t.Errorf("%v under %v: %v points to come, want %v", p, p.Rules(), gain, value.Gain)
	}
}

// An empty full board has no end in sight.
func TestSearchRefuses(t *testing.T) {
	for _, r := range rules.Rulesets() {
		if gain, ok := newSearch(r, rules.Full).decide(0, rules.Attacker); ok {
			t.Errorf("the game of %v is worth %v", r, gain)
		}
	}
}

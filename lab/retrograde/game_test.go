package retrograde_test

import (
	"math/rand/v2"
	"testing"

	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// The largest score is the best score that both sides can reach together.
func TestLargestScore(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for _, size := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}, {Width: 2, Height: 3}} {
			most := map[state]float64{}
			if got, want := exact.LargestScore(r, size), together(rules.NewPosition(r, size), most); float64(got) != want {
				t.Errorf("%v on %v: %d, want %v", r, size, got, want)
			}
		}
	}
	if got := exact.LargestScore(rules.GPCC2015, rules.Full); got != 1835012 {
		t.Errorf("4x4: %d", got)
	}
}

// together returns the most that can still be scored if both sides want it.
func together(p rules.Position, known map[state]float64) float64 {
	at := state{p.Board(), p.SideToMove()}
	if _, ok := known[at]; !ok {
		most := 0.0
		for _, m := range p.AppendMoves(nil) {
			q := p.Next(m)
			most = max(most, float64(q.Score()-p.Score())+together(q, known))
		}
		known[at] = most
	}
	return known[at]
}

// Positions equal under a symmetry have equal values, and so have their moves.
func TestSymmetry(t *testing.T) {
	for _, test := range []struct {
		rules rules.Ruleset
		size  string
	}{{rules.GPCC2016, "3x2"}, {rules.Solo, "2x2"}, {rules.GPCC2015, "4x2"}} {
		solution := solve(t, test.rules, test.size)
		random := rand.New(rand.NewPCG(1, 2))
		for range 50 {
			p := rules.NewPosition(test.rules, solution.Size())
			for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(nil) {
				p = p.Next(moves[random.IntN(len(moves))])
				compareImages(t, solution.Table, p)
			}
		}
	}
}

func compareImages(t *testing.T, table *exact.Table, p rules.Position) {
	t.Helper()
	value, err := table.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	moves, err := table.Moves(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, y := range p.Size().Symmetries() {
		image := y.Position(p)
		if got, err := table.Value(image); err != nil || got != value {
			t.Fatalf("%v is worth %v, %v, its image %v %v", p, value, err, image, got)
		}
		turned := map[rules.Move]exact.Value{}
		imageMoves, err := table.Moves(image)
		for _, m := range imageMoves {
			turned[m.Move] = m.Value
		}
		for _, m := range moves {
			if got, ok := turned[y.Move(m.Move, p.Size())]; !ok || got != m.Value || err != nil {
				t.Fatalf("%v: %v, in its image %v %v, %v", p, m, image, got, err)
			}
		}
	}
}

// A principal variation replays by the rules, with the score and the length that the table predicts.
func TestPrincipalVariation(t *testing.T) {
	for _, r := range []rules.Ruleset{rules.GPCC2015, rules.GPCC2016} {
		solution := solve(t, r, "3x2")
		start := rules.NewPosition(r, solution.Size())
		value, err := solution.Value(start)
		if err != nil {
			t.Fatal(err)
		}
		line, err := solution.PrincipalVariation(start)
		record := record.Record{Start: start, Moves: line, Ending: record.Mate}
		last, failed := record.Replay()
		if err != nil || failed != nil || float64(last.Score()) != value.Gain || last.Ply() != value.Plies {
			t.Errorf("%v: %v, %v, %v, want %v", r, last, err, failed, value)
		}
	}
	solo := solve(t, rules.Solo, "2x2")
	if line, err := solo.PrincipalVariation(rules.NewPosition(rules.Solo, solo.Size())); len(line) != 0 || err != nil {
		t.Errorf("solo: %v, %v", line, err)
	}
}

func TestGrow(t *testing.T) {
	size := rules.Size{Width: 3, Height: 2}
	want := solve(t, rules.GPCC2016, "3x2").Layers[1:]
	var got []retrograde.Layer
	grow := func(memory int64, sum int) int {
		got = nil
		if err := retrograde.Grow(t.Context(), rules.GPCC2016, size, memory, sum, func(g retrograde.Growth) { got = append(got, g.Layer) }); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%v, want %v", got[i], want[i])
			}
		}
		return len(got)
	}
	if n := grow(1<<30, 1<<30); n != len(want) {
		t.Errorf("%d layers, want %d", n, len(want))
	}
	if n := grow(1<<30, 20); n != 10 {
		t.Errorf("%d layers up to sum 20", n)
	}
	if n := grow(1<<15, 1<<30); n < 2 || n == len(want) {
		t.Errorf("%d layers in 32 KiB", n)
	}
}

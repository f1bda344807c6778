package puzzles

import (
	"testing"

	"versus2048/rules"
)

// position reads a position of a test.
func position(t *testing.T, r rules.Ruleset, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(r, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCandidates(t *testing.T) {
	defender := position(t, rules.GPCC2015, "0,2,0/0,0,4 D")
	attacker := position(t, rules.GPCC2015, "0,2,0/2,0,4 A")
	for _, c := range []struct {
		name   string
		at     rules.Position
		scores []float64
		best   rules.Move
		ok     bool
	}{
		{"one best slide", defender, []float64{40, 48, 44}, rules.South, true},
		{"two best slides", defender, []float64{48, 48, 44}, 0, false},
		{"hardly better", defender, []float64{48, 48.5, 44}, 0, false},
		{"few moves", defender, []float64{48, 44}, 0, false},
		{"one best placement", attacker, []float64{48, 44, 52}, rules.Place(2, false), true},
		{"two best placements", attacker, []float64{44, 44, 52}, 0, false},
	} {
		switch got, ok := newCandidate(c.at, c.scores); {
		case ok != c.ok:
			t.Errorf("%s: good is %v", c.name, ok)
		case ok && got.best != c.best:
			t.Errorf("%s: the best move is %v, want %v", c.name, got.best, c.best)
		}
	}
}

// A position and its images are taken once, with any score, and few puzzles please a greedy player.
func TestChoice(t *testing.T) {
	c := newChoice(5)
	add := func(text string, best rules.Move, want int) {
		t.Helper()
		p := position(t, rules.GPCC2015, text)
		c.add(candidate{p, []float64{48, 44, 40}, best, isGreedy(p, best), 1})
		if got := len(c.all()); got != want {
			t.Errorf("%s: %d puzzles, want %d", text, got, want)
		}
	}
	add("2,2,0/0,0,4 D 4 5", rules.North, 1)
	add("2,2,0/0,0,4 D 4 7", rules.North, 1)
	add("0,2,2/4,0,0 D 4 5", rules.North, 1)
	add("0,2,2/0,0,4 D 4 5", rules.West, 2) // greedy
	add("2,2,8/0,0,4 D", rules.North, 3)
	add("2,2,16/0,0,4 D", rules.West, 4) // greedy
	add("2,2,32/0,0,4 D", rules.West, 4) // greedy, one too many
	if c.full([]rules.Side{rules.Defender}) {
		t.Error("four are enough of five")
	}
	add("2,2,64/0,0,4 D", rules.North, 5)
	if !c.full([]rules.Side{rules.Defender}) || c.full([]rules.Side{rules.Attacker, rules.Defender}) {
		t.Error("the defender has five puzzles, the attacker none")
	}
	add("2,2,128/0,0,4 D", rules.North, 5)
}

func TestGreedyMoves(t *testing.T) {
	for _, c := range []struct {
		text   string
		best   rules.Move
		greedy bool
	}{
		{"2,2,0/0,0,4 D", rules.West, true},
		{"2,2,0/0,0,4 D", rules.North, false},
		{"2,4,0/0,0,0 D", rules.East, true},              // nothing to gain by any slide
		{"2,4,2/4,0,4 A", rules.Place(5, false), true},   // the only cell
		{"2,0,8/4,8,4 A", rules.Place(1, false), true},   // the only cell
		{"2,0,8/4,0,16 A", rules.Place(1, false), false}, // makes a pair
		{"2,0,8/4,0,16 A", rules.Place(5, false), true},  // makes none
	} {
		if got := isGreedy(position(t, rules.GPCC2015, c.text), c.best); got != c.greedy {
			t.Errorf("%s, %v: greedy is %v", c.text, c.best, got)
		}
	}
}

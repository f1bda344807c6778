package proof

import (
	"testing"

	"versus2048/rules"
)

// The known bounds of the score stay when the table loses the empty board. Otherwise Exact would ask for the
// same claims again and again.
func TestTableLosesTheEmptyBoard(t *testing.T) {
	for _, c := range []struct {
		rules rules.Ruleset
		size  rules.Size
		score int
	}{
		{rules.GPCC2016, rules.Size{Width: 2, Height: 2}, 8},
		{rules.GPCC2015, rules.Size{Width: 3, Height: 2}, 516},
		{rules.GPCC2016, rules.Size{Width: 3, Height: 2}, 40},
	} {
		p, err := Open(Config{Rules: c.rules, Size: c.size, Memory: LeastMemory, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, claim := range []int{c.score, c.score + unit} {
			if got, err := p.AtLeast(t.Context(), claim, nil); err != nil || got != (claim == c.score) {
				t.Errorf("%v on %v, at least %d: %v, %v", c.rules, c.size, claim, got, err)
			}
			clear(p.table.words)
		}
		if low, high := p.Bounds(); low != c.score || high != c.score {
			t.Errorf("%v on %v: the score is %d to %d, want %d", c.rules, c.size, low, high, c.score)
		}
	}
}

// The end of an earlier call's context, however late it is noticed, does not stop a later call.
func TestLateStop(t *testing.T) {
	p, err := Open(Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 2, Height: 2}, Memory: LeastMemory, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.AtLeast(t.Context(), 8, nil); err != nil {
		t.Fatal(err)
	}
	earlier := p.searchers[0].stop
	_, err = p.run(t.Context(), nil, func(s *searcher) int {
		earlier.Store(true)
		return s.attacker(0, 3, 0)
	})
	if err != nil {
		t.Error(err)
	}
	for _, s := range p.searchers {
		if s.stop == earlier {
			t.Error("a searcher still has the stop of an earlier call")
		}
	}
}

package rules_test

import (
	"encoding"
	"fmt"
	"testing"

	"versus2048/rules"
)

// checkName fails the test unless value is written as text, text is read into read
// and written again the same, and a longer text is rejected.
func checkName(t *testing.T, value encoding.TextMarshaler, text string, read interface {
	fmt.Stringer
	encoding.TextUnmarshaler
},
) {
	t.Helper()
	if data, err := value.MarshalText(); err != nil || string(data) != text || fmt.Sprint(value) != text {
		t.Errorf("%v is marshalled as %q, %v, want %q", value, data, err, text)
	}
	if err := read.UnmarshalText([]byte(text)); err != nil || read.String() != text {
		t.Errorf("%q is read as %v, %v", text, read, err)
	}
	if err := read.UnmarshalText([]byte(text + "x")); err == nil {
		t.Errorf("%q is read as %v, want an error", text+"x", read)
	}
}

func TestNames(t *testing.T) {
	for i, text := range []string{"gpcc2015", "gpcc2016", "solo"} {
		checkName(t, rules.Rulesets()[i], text, new(rules.Ruleset))
	}
	for i, text := range []string{"2x2", "2x3", "2x4", "3x2", "3x3", "3x4", "4x2", "4x3", "4x4"} {
		checkName(t, rules.Sizes()[i], text, new(rules.Size))
	}
	checkName(t, rules.Attacker, "attacker", new(rules.Side))
	checkName(t, rules.Defender, "defender", new(rules.Side))
	checkName(t, rules.West, "W", new(rules.Move))
	checkName(t, rules.Place(14, true), "(3,4,4)", new(rules.Move))
}

func TestUnknownNames(t *testing.T) {
	for _, text := range []string{"", "GPCC2015", "gpcc2017"} {
		if r, err := rules.ParseRuleset(text); err == nil {
			t.Errorf("rules %q are read as %v", text, r)
		}
	}
	for _, text := range []string{"", "4", "1x4", "4x5", "4X4", "04x4", "4x4x4"} {
		if s, err := rules.ParseSize(text); err == nil {
			t.Errorf("size %q is read as %v", text, s)
		}
	}
	for value, text := range map[fmt.Stringer]string{rules.Ruleset(3): "Ruleset(3)", rules.Move(99): "Move(99)"} {
		if value.String() != text {
			t.Errorf("written %v, want %s", value, text)
		}
	}
}

func TestSizes(t *testing.T) {
	for _, s := range rules.Sizes() {
		empty := rules.NewPosition(rules.GPCC2015, s)
		placements := empty.AppendMoves(nil)
		if s.Cells() != int(s.Width)*int(s.Height) || len(placements) != s.Cells() || empty.Board().EmptyCells(s) != s.Cells() {
			t.Errorf("%v: %d cells, %d empty, %d placements", s, s.Cells(), empty.Board().EmptyCells(s), len(placements))
		}
		if s.Square() != (s.Width == s.Height) {
			t.Errorf("%v: square %v", s, s.Square())
		}
	}
}

func TestRulesets(t *testing.T) {
	for r, want := range map[rules.Ruleset][2]bool{rules.GPCC2015: {false, false}, rules.GPCC2016: {true, false}, rules.Solo: {true, true}} {
		if got := [2]bool{r.Fours(), r.Chance()}; got != want {
			t.Errorf("%v: 4s and chance %v, want %v", r, got, want)
		}
	}
	if rules.Attacker.Other() != rules.Defender || rules.Defender.Other() != rules.Attacker {
		t.Error("a side's other one is not the other")
	}
}

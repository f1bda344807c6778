package rules_test

import (
	"errors"
	"testing"

	"versus2048/rules"
)

func TestMoveNotation(t *testing.T) {
	for text, want := range map[string]rules.Move{
		"N":       rules.North,
		"S":       rules.South,
		"W":       rules.West,
		"E":       rules.East,
		"(1,1)":   rules.Place(0, false),
		"(4,1)":   rules.Place(3, false),
		"(1,4)":   rules.Place(12, false),
		"(4,4)":   rules.Place(15, false),
		"(2,3,4)": rules.Place(9, true),
	} {
		m, err := rules.ParseMove(text)
		if err != nil || m != want {
			t.Errorf("ParseMove(%q): %d, %v, want %d", text, m, err, want)
		}
		if got := want.String(); got != text {
			t.Errorf("move %d is written %q, want %q", want, got, text)
		}
	}
}

func TestMoveParts(t *testing.T) {
	two, four := rules.Place(6, false), rules.Place(6, true)
	if two.Cell() != 6 || two.IsFour() || two.IsSlide() {
		t.Errorf("%v: cell %d, 4 %v, slide %v", two, two.Cell(), two.IsFour(), two.IsSlide())
	}
	if four.Cell() != 6 || !four.IsFour() || four.IsSlide() {
		t.Errorf("%v: cell %d, 4 %v, slide %v", four, four.Cell(), four.IsFour(), four.IsSlide())
	}
	for m := rules.North; m <= rules.East; m++ {
		if !m.IsSlide() || m.IsFour() {
			t.Errorf("%v: slide %v, 4 %v", m, m.IsSlide(), m.IsFour())
		}
	}
}

var notMoves = []string{
	"", "n", "X", "NN", " N", "(1,1", "1,1", "(0,1)", "(5,1)", "(1,5)", "(1,1,2)", "(1,1,44)", "(1;1)", "(1, 1)", "(x,y)", "(１,1)",
}

func TestParseMoveRejects(t *testing.T) {
	for _, text := range notMoves {
		_, err := rules.ParseMove(text)
		var notation *rules.NotationError
		if !errors.As(err, &notation) || notation.Text != text {
			t.Errorf("ParseMove(%q): error %v, want a NotationError with the text", text, err)
		}
	}
}

func FuzzParseMove(f *testing.F) {
	for _, text := range append([]string{"N", "(1,2)", "(3,4,4)"}, notMoves...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := rules.ParseMove(text); err == nil && m.String() != text {
			t.Errorf("%q is read as %v", text, m)
		}
	})
}

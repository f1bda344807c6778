package rules_test

import (
	"errors"
	"strings"
	"testing"

	"versus2048/rules"
)

func TestIllegalMoves(t *testing.T) {
	for _, test := range []struct {
		rules    rules.Ruleset
		position string
		move     rules.Move
		want     rules.Reason
	}{
		{rules.GPCC2015, "2,0/0,0 A", rules.North, rules.NotYourMove},
		{rules.GPCC2015, "2,0/0,0 D", rules.Place(1, false), rules.NotYourMove},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(2, false), rules.OutsideBoard},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(8, false), rules.OutsideBoard},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(15, true), rules.OutsideBoard},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(0, false), rules.CellOccupied},
		{rules.GPCC2015, "65536,0/0,0 A", rules.Place(0, false), rules.CellOccupied},
		{rules.GPCC2015, "2,0/0,0 A", rules.Place(1, true), rules.NoFours},
		{rules.GPCC2015, "2,0/0,0 D", rules.West, rules.NothingMoves},
		{rules.GPCC2015, "65536,0/0,0 D", rules.West, rules.NothingMoves},
		{rules.GPCC2015, "2,0/0,0 A", rules.East + 1, rules.UnknownMove},
		{rules.GPCC2015, "2,0/0,0 D", 255, rules.UnknownMove},
		{rules.GPCC2015, "2,4/4,2 D", rules.West, rules.GameOver},
		{rules.GPCC2015, "0,0/0,0 D", rules.West, rules.GameOver},
		{rules.GPCC2016, "2,0/0,0 A", rules.Place(0, true), rules.CellOccupied},
	} {
		p := parse(t, test.rules, test.position)
		after, err := p.Play(test.move)
		var illegal *rules.IllegalMoveError
		if !errors.As(err, &illegal) {
			t.Errorf("%v: %v leads to %v, %v, want: %s", p, test.move, after, err, test.want)
			continue
		}
		if want := (rules.IllegalMoveError{Move: test.move, Position: p, Reason: test.want}); *illegal != want {
			t.Errorf("error %+v, want %+v", *illegal, want)
		}
		if after != p {
			t.Errorf("the illegal %v changed %v to %v", test.move, p, after)
		}
		for _, part := range []string{test.move.String(), p.String(), string(test.want)} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("error %q does not say %q", err, part)
			}
		}
	}
}

// A move is legal if and only if AppendMoves lists it.
func TestPlayAgreesWithAppendMoves(t *testing.T) {
	for _, r := range rules.Rulesets() {
		for _, text := range []string{"0,0/0,0 A", "0,0/0,0 D", "2,0,4,4/0,0,0,2 A", "2,0,4,4/0,0,0,2 D", "65536,0,32768/2,2,32768 D"} {
			p := parse(t, r, text)
			listed := make(map[rules.Move]bool)
			for _, m := range p.AppendMoves(nil) {
				listed[m] = true
			}
			for m := range rules.Move(255) {
				if _, err := p.Play(m); (err == nil) != listed[m] {
					t.Errorf("%v %v: %v listed %v, played with error %v", r, p, m, listed[m], err)
				}
			}
		}
	}
}

func TestAppendMovesAppends(t *testing.T) {
	p := parse(t, rules.GPCC2016, "2,4/8,0 A")
	got := notations(p.AppendMoves([]rules.Move{rules.North}))
	if want := "N (2,2) (2,2,4)"; strings.Join(got, " ") != want {
		t.Errorf("moves %v, want %s", got, want)
	}
}

// The zero Position is no position of any game: nothing is legal there.
func TestZeroPosition(t *testing.T) {
	var p rules.Position
	if moves := p.AppendMoves(nil); len(moves) != 0 {
		t.Errorf("moves %v, want none", moves)
	}
	for m := range rules.Move(255) {
		if _, err := p.Play(m); err == nil {
			t.Errorf("%v was played", m)
		}
	}
}

// The score is the sum of the merged tiles, whether they stem from 2s or 4s.
func TestScoreWithFours(t *testing.T) {
	p := rules.NewPosition(rules.GPCC2016, rules.Full)
	for _, ply := range []struct {
		move  string
		score int
	}{
		{"(1,1,4)", 0},
		{"E", 0},
		{"(1,1,4)", 0},
		{"E", 8}, // 4+4
		{"(1,1)", 8},
		{"S", 8},
		{"(1,3)", 8},
		{"S", 12}, // 2+2
		{"(3,4,4)", 12},
		{"W", 20}, // 4+4, and the 8 is left alone
		{"(3,4)", 20},
		{"W", 36}, // 8+8
	} {
		m, err := rules.ParseMove(ply.move)
		if err != nil {
			t.Fatal(err)
		}
		if p, err = p.Play(m); err != nil {
			t.Fatal(err)
		}
		if p.Score() != ply.score {
			t.Errorf("score %d after %v, want %d", p.Score(), m, ply.score)
		}
	}
}

package retrograde_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/lab/retrograde"
	"versus2048/rules"
)

// most returns the largest number of states of a board that is solved: with -short, no board takes seconds.
func most(t *testing.T) int { return testkit.Amount(t, math.MaxInt, 1_000_000) }

// The values of solo are published by Yamashita 2023; the states and values for the other rules were first
// computed here.
func TestSolutions(t *testing.T) {
	limit := most(t)
	for _, want := range []struct {
		rules                     rules.Ruleset
		size                      string
		attacker, defender, mated int
		gain                      float64
		plies                     int
	}{
		{rules.GPCC2015, "2x2", 31, 33, 9, 68, 29},
		{rules.GPCC2015, "3x2", 4532, 4409, 723, 516, 125},
		{rules.GPCC2015, "2x3", 4532, 4409, 723, 516, 125},
		{rules.GPCC2015, "4x2", 768122, 764859, 104004, 3076, 509},
		{rules.GPCC2015, "3x3", 6724900, 7035337, 762136, 7172, 1021},
		{rules.GPCC2016, "2x2", 69, 112, 36, 8, 9},
		{rules.GPCC2016, "3x2", 14886, 21756, 4484, 40, 19},
		{rules.GPCC2016, "2x3", 14886, 21756, 4484, 40, 19},
		{rules.GPCC2016, "4x2", 3406689, 4980771, 892648, 112, 33},
		{rules.Solo, "2x2", 69, 112, 36, 66.9641, 0},
		{rules.Solo, "3x2", 14886, 21756, 4484, 480.2584, 0},
	} {
		if want.attacker > limit {
			continue // solving it takes too long
		}
		s := solve(t, want.rules, want.size)
		var attacker, defender, mated int
		for i, l := range s.Layers {
			attacker, defender, mated = attacker+l.Attacker, defender+l.Defender, mated+l.Mated
			if l.Sum != 2*i {
				t.Errorf("layer %d has the sum %d", i, l.Sum)
			}
		}
		if attacker != want.attacker || defender != want.defender || mated != want.mated || s.States() != attacker {
			t.Errorf("%v %s: %d, %d, %d states: want %v", want.rules, want.size, attacker, defender, mated, want)
		}
		v, err := s.Value(rules.NewPosition(want.rules, s.Size()))
		if err != nil || math.Abs(v.Gain-want.gain) > 5e-5 || v.Plies != want.plies {
			t.Errorf("%v %s: %v, %v, want %v", want.rules, want.size, v, err, want)
		}
	}
}

// The states, and the values truncated to one decimal, are from the table of Yamashita 2023.
func TestTwoTiles(t *testing.T) {
	limit := most(t)
	for size, want := range map[string]retrograde.TwoTiles{
		"2x2": {States: 110, Twos: 67.6},
		"3x2": {States: 21752, Twos: 480.9},
		"2x3": {States: 21752, Twos: 480.9},
		"4x2": {States: 4980767, Twos: 2642.6},
		"3x3": {States: 48713519, Twos: 5469.2},
	} {
		if want.States > limit {
			continue
		}
		got, err := solve(t, rules.Solo, size).TwoTiles()
		if err != nil || got.States != want.States || math.Floor(got.Twos*10) != math.Round(want.Twos*10) {
			t.Errorf("%s: %v, %v, want %v", size, got, err, want)
		}
		if got.Least > got.Twos+1e-6 || got.Most < got.Twos-1e-6 || got.Random >= got.Twos {
			t.Errorf("%s: %+v", size, got)
		}
		if size == "2x2" && (math.Abs(got.Twos-67.6963) > 5e-5 || math.Abs(got.Random-66.9641) > 5e-5) {
			t.Errorf("2x2: %+v, want 67.6963 and 66.9641", got)
		}
	}
	if got, err := solve(t, rules.GPCC2016, "2x2").TwoTiles(); err == nil {
		t.Errorf("gpcc2016: %v", got)
	}
}

// The states after starts with two tiles are the states after the empty board, except for the boards with one tile.
func TestTwoTilesStates(t *testing.T) {
	for _, size := range []rules.Size{{Width: 2, Height: 2}, {Width: 3, Height: 2}} {
		fromEmpty, fromTwo := naive{}, naive{}
		fromEmpty.value(rules.NewPosition(rules.Solo, size))
		starts := 0
		for at, known := range fromEmpty {
			if at.toMove == rules.Defender && tiles(known.position) == 2 && known.position.LargestTile() <= 4 {
				starts++
				fromTwo.value(known.position)
			}
		}
		for at, known := range fromEmpty {
			if _, ok := fromTwo[at]; at.toMove == rules.Defender && ok != (tiles(known.position) > 1) {
				t.Fatalf("%v: follows two tiles %v", known.position, ok)
			}
		}
		if want := 2 * size.Cells() * (size.Cells() - 1); starts != want {
			t.Errorf("%v: %d boards of two tiles, want %d", size, starts, want)
		}
	}
}

func tiles(p rules.Position) int { return p.Size().Cells() - p.Board().EmptyCells(p.Size()) }

func TestSolveEnds(t *testing.T) {
	cause := errors.New("enough")
	for _, stage := range []bool{false, true} {
		ctx, cancel := context.WithCancelCause(t.Context())
		s, err := retrograde.Solve(ctx, rules.GPCC2015, rules.Size{Width: 3, Height: 2}, func(p retrograde.Progress) {
			if p.Solving == stage && p.Done > 100 {
				cancel(cause)
			}
		})
		if s != nil || !errors.Is(err, cause) {
			t.Errorf("solving %v: %v, %v, want %v", stage, s, err, cause)
		}
	}
	if s, err := retrograde.Solve(t.Context(), rules.GPCC2015, rules.Size{Width: 3, Height: 4}, nil); err == nil {
		t.Errorf("3x4 is solved: %v", s)
	}
}

func TestProgress(t *testing.T) {
	var last retrograde.Progress
	_, err := retrograde.Solve(t.Context(), rules.GPCC2016, rules.Size{Width: 3, Height: 2}, func(p retrograde.Progress) {
		if p.Solving == last.Solving && p.Done < last.Done || last.Solving && !p.Solving || p.Sum > p.Largest {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	})
	if err != nil || last != (retrograde.Progress{Solving: true, Sum: 0, Largest: 252, Done: 14886, Total: 14886}) {
		t.Errorf("%+v, %v", last, err)
	}
}

package puzzles_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"versus2048/lab/puzzles"
	"versus2048/lab/retrograde"
	"versus2048/players/exact"
	"versus2048/rules"
)

var small = puzzles.Settings{Seed: 7, PerKind: 5, Sizes: []rules.Size{{Width: 3, Height: 2}}, Workers: 1}

// made returns a book of puzzles.
func made(t *testing.T, s puzzles.Settings) *exact.PuzzleBook {
	t.Helper()
	book, err := puzzles.Make(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return book
}

// The seed decides the puzzles, the number of workers does not.
func TestMakeRepeats(t *testing.T) {
	first, workers, seed := made(t, small), small, small
	workers.Workers, seed.Seed = 3, 8
	if !reflect.DeepEqual(made(t, workers), first) {
		t.Error("three workers make other puzzles")
	}
	if reflect.DeepEqual(made(t, seed), first) {
		t.Error("another seed makes the same puzzles")
	}
}

// The puzzles are of all kinds, numbered in their order, with the values of the solution.
func TestMake(t *testing.T) {
	book := made(t, small)
	if kinds := puzzles.Kinds(book); len(kinds) < 4 || kinds[0].Puzzles != 5 || kinds[0].Easy+kinds[0].Medium+kinds[0].Hard != 5 {
		t.Errorf("the kinds are %v", kinds)
	}
	for _, r := range rules.Rulesets() {
		s, err := retrograde.Solve(t.Context(), r, small.Sizes[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range book.Puzzles {
			p := &book.Puzzles[i]
			if p.Number != i+1 {
				t.Errorf("puzzle %d has the number %d", i+1, p.Number)
			}
			if p.Position.Rules() == r {
				wantValues(t, p, s)
			}
		}
	}
}

// wantValues compares the scores of a puzzle with a solution.
func wantValues(t *testing.T, p *exact.Puzzle, s *retrograde.Solution) {
	t.Helper()
	values, err := s.Moves(p.Position)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range values {
		if want := float64(p.Position.Score()) + v.Value.Gain; math.Abs(p.Scores[i]-want) > 0.00501 {
			t.Errorf("%v, move %v: %v points, want %v", p.Position, v.Move, p.Scores[i], want)
		}
	}
}

func TestSettings(t *testing.T) {
	for _, change := range []func(*puzzles.Settings){
		func(s *puzzles.Settings) { s.PerKind = 0 },
		func(s *puzzles.Settings) { s.Workers = 0 },
		func(s *puzzles.Settings) { s.Sizes = nil },
		func(s *puzzles.Settings) { s.Sizes = []rules.Size{{Width: 4, Height: 3}} },
		func(s *puzzles.Settings) { s.Sizes = append(s.Sizes[:1:1], s.Sizes[0]) },
	} {
		wrong := small
		change(&wrong)
		if _, err := puzzles.Make(t.Context(), wrong, nil); err == nil {
			t.Errorf("%+v are accepted", wrong)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := puzzles.Make(ctx, small, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

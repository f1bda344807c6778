package alphabeta

import (
	"testing"

	"versus2048/rules"
)

func TestTranspositions(t *testing.T) {
	table := newTranspositions()
	table.forget()
	const board = rules.Board(0x1234)
	for _, search := range []struct {
		alpha, beta, value int
		want               bound
	}{
		{-10, 10, 3, exactly},
		{-10, 10, 10, atLeast},
		{-10, 10, 25, atLeast},
		{-10, 10, -10, atMost},
		{-10, 10, -25, atMost},
	} {
		table.keep(board, 4, search.alpha, search.beta, search.value, rules.South)
		got := table.find(board, 4)
		if got.bound != search.want || int(got.value) != search.value || got.move != rules.South {
			t.Errorf("%+v: kept %+v", search, got)
		}
	}
	if other := table.find(board+1, 4); other.settles(4, -infinity, infinity) {
		t.Errorf("found %+v for a board that was never searched", other)
	}
	if other := table.find(board, 3); other.settles(3, -infinity, infinity) {
		t.Errorf("found %+v where the other side is to move", other)
	}
}

// TestSettles compares every bound on 5 with windows below, around and above it.
func TestSettles(t *testing.T) {
	for _, c := range []struct {
		bound       bound
		alpha, beta int
		want        bool
	}{
		{exactly, 0, 10, true},
		{exactly, 6, 10, true},
		{atLeast, 0, 10, false},
		{atLeast, 0, 5, true},
		{atLeast, 5, 6, false},
		{atMost, 0, 10, false},
		{atMost, 5, 10, true},
		{atMost, 4, 5, false},
	} {
		e := transposition{value: 5, plies: 3, bound: c.bound}
		if got := e.settles(3, c.alpha, c.beta); got != c.want {
			t.Errorf("%+v: settles %v", c, got)
		}
		if e.settles(2, c.alpha, c.beta) {
			t.Errorf("%+v: settles a search of another depth", c)
		}
	}
}

// TestForget forgets more often than the number of ages.
func TestForget(t *testing.T) {
	table := newTranspositions()
	for n := range 600 {
		table.forget()
		for b := range rules.Board(3) {
			if e := table.find(b, 2); e != (transposition{}) {
				t.Fatalf("after %d times %+v is still there", n+1, e)
			}
		}
		table.keep(rules.Board(n%3), 2, 0, 1, 0, rules.North)
	}
}

// TestReplacement fills one pair, which keeps what was searched deepest and what came last.
func TestReplacement(t *testing.T) {
	table := newTranspositions()
	table.forget()
	boards := []rules.Board{1}
	for b := rules.Board(2); len(boards) < 4; b++ {
		if table.pair(b, rules.Attacker) == table.pair(boards[0], rules.Attacker) {
			boards = append(boards, b)
		}
	}
	for i, plies := range []int{4, 8, 2, 6} {
		table.keep(boards[i], plies, 0, 1, 0, rules.North)
	}
	for i, want := range []bool{false, true, false, true} {
		if got := table.find(boards[i], 2).plies > 0; got != want {
			t.Errorf("board %d is kept: %v, want %v", i, got, want)
		}
	}
}

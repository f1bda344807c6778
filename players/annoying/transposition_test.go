package annoying

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
		{-10, 10, -3, exactly},
		{-10, 10, 10, atLeast},
		{-10, 10, Win + 31, atLeast},
		{-10, 10, -10, atMost},
		{-10, 10, -Win - 31, atMost},
	} {
		table.keep(board, 4, search.alpha, search.beta, search.value)
		if got := table.find(board); got.bound != search.want || got.value != search.value || got.slides != 4 {
			t.Errorf("%+v: kept %+v", search, got)
		}
	}
	if other := table.find(board + 1); other.settles(4, -infinity, infinity) {
		t.Errorf("found %+v for a board that was never searched", other)
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
		r := result{value: 5, slides: 3, bound: c.bound}
		if got := r.settles(3, c.alpha, c.beta); got != c.want {
			t.Errorf("%+v: settles %v", c, got)
		}
		if r.settles(2, c.alpha, c.beta) {
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
			if r := table.find(b); r != (result{}) {
				t.Fatalf("after %d times %+v is still there", n+1, r)
			}
		}
		table.keep(rules.Board(n%3), 2, 0, 1, 0)
	}
}

// TestReplacement fills one pair, which keeps what was searched deepest and what came last.
func TestReplacement(t *testing.T) {
	table := newTranspositions()
	table.forget()
	boards := []rules.Board{1}
	for b := rules.Board(2); len(boards) < 4; b++ {
		if table.pair(b) == table.pair(boards[0]) {
			boards = append(boards, b)
		}
	}
	for i, slides := range []int{4, 8, 2, 6} {
		table.keep(boards[i], slides, 0, 1, 0)
	}
	for i, want := range []bool{false, true, false, true} {
		if got := table.find(boards[i]).slides > 0; got != want {
			t.Errorf("board %d is kept: %v, want %v", i, got, want)
		}
	}
}

// TestTornEntry mixes the words of two entries, as a thread may read them: they fit no board.
func TestTornEntry(t *testing.T) {
	table := newTranspositions()
	table.forget()
	table.keep(7, 3, 0, 10, 5)
	before := table.pair(7)[0].board.Load()
	table.keep(7, 4, 0, 10, 6)
	table.pair(7)[0].board.Store(before)
	if r := table.find(7); r != (result{}) {
		t.Errorf("found %+v", r)
	}
}

package alphabeta

import (
	"math/rand/v2"
	"sync"
	"testing"

	"versus2048/rules"
)

func TestTable(t *testing.T) {
	table := newTable(MinTable, false, false)
	table.next()
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
		{-10, 10, 7 - Mated, atMost},
	} {
		table.keep(board, 4, search.alpha, search.beta, search.value, rules.South)
		got := table.find(board, 4)
		if got.bound != search.want || int(got.value) != search.value || got.move != rules.South || got.plies != 4 {
			t.Errorf("%+v: kept %+v", search, got)
		}
	}
	if other := table.find(board+1, 4); other != (known{}) {
		t.Errorf("found %+v for a board that was never searched", other)
	}
	if other := table.find(board, 3); other != (known{}) {
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
		k := known{value: 5, plies: 3, bound: c.bound}
		if got := k.settles(c.alpha, c.beta); got != c.want {
			t.Errorf("%+v: settles %v", c, got)
		}
	}
}

// TestNext goes on to the next move more often than the ages last.
func TestNext(t *testing.T) {
	forgets, keeps := newTable(MinTable, false, false), newTable(MinTable, true, false)
	for n := range 600 {
		forgets.next()
		keeps.next()
		for b := range rules.Board(3) {
			if k := forgets.find(b, 2); k != (known{}) {
				t.Fatalf("after %d times %+v is still there", n+1, k)
			}
			if k := keeps.find(b, 2); n > 2 && k.value != int32(b) {
				t.Fatalf("after %d times %+v is kept for %d", n+1, k, b)
			}
		}
		for _, table := range []*table{forgets, keeps} {
			table.keep(rules.Board(n%3), 2, -9, 9, n%3, rules.North)
		}
	}
}

// TestReplacement fills one bucket: what was searched least deep gives way, a search of long ago before
// one of the present move.
func TestReplacement(t *testing.T) {
	table := newTable(MinTable, true, false)
	boards := []rules.Board{1}
	for b := rules.Board(2); len(boards) < 7; b++ {
		if table.at(b, rules.Attacker) == table.at(boards[0], rules.Attacker) {
			boards = append(boards, b)
		}
	}
	for i, plies := range []int{4, 8, 2, 6, 8, 12, 2} {
		if i > 4 {
			table.next()
		}
		table.keep(boards[i], plies, 0, 1, 0, rules.North)
	}
	for i, want := range []bool{false, true, false, false, true, true, true} {
		if got := table.find(boards[i], 2).plies > 0; got != want {
			t.Errorf("board %d is kept: %v, want %v", i, got, want)
		}
	}
}

// TestSharedTable writes and reads from several threads at once, all in the same few buckets: what is
// found is always what was kept for that board.
func TestSharedTable(t *testing.T) {
	table := newTable(MinTable, true, true)
	var threads sync.WaitGroup
	for seed := range uint64(4) {
		threads.Go(func() {
			random := rand.New(rand.NewPCG(seed, 0))
			for range 20_000 {
				b := rules.Board(random.IntN(8000))
				if k := table.find(b, 2); k.plies > 0 && k.value != int32(b) {
					t.Errorf("found %+v for %d", k, b)
				}
				table.keep(b, 2+2*random.IntN(4), -1, 10_000, int(b), rules.North)
			}
		})
	}
	threads.Wait()
}

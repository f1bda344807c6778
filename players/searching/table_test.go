package searching

import (
	"math/rand/v2"
	"sync"
	"testing"

	"versus2048/rules"
)

func TestTable(t *testing.T) {
	table := NewTable(MinBits, false, false)
	table.Next()
	const board = rules.Board(0x1234)
	for _, search := range []struct {
		alpha, beta, value int
		want               Bound
	}{
		{-10, 10, 3, Exactly},
		{-10, 10, 10, AtLeast},
		{-10, 10, 25, AtLeast},
		{-10, 10, -10, AtMost},
		{-10, 10, -25, AtMost},
		{-10, 10, 7 - 500_000_000, AtMost},
	} {
		table.Keep(board, 4, search.alpha, search.beta, search.value, rules.South)
		got := table.Find(board, 4)
		if got.Bound != search.want || int(got.Value) != search.value || got.Move != rules.South || got.Plies != 4 {
			t.Errorf("%+v: kept %+v", search, got)
		}
	}
	if other := table.Find(board+1, 4); other != (Known{}) {
		t.Errorf("found %+v for a board that was never searched", other)
	}
	if other := table.Find(board, 3); other != (Known{}) {
		t.Errorf("found %+v where the other side is to move", other)
	}
}

// TestSettles compares every bound on 5 with windows below, around and above it.
func TestSettles(t *testing.T) {
	for _, c := range []struct {
		bound       Bound
		alpha, beta int
		want        bool
	}{
		{Exactly, 0, 10, true},
		{Exactly, 6, 10, true},
		{AtLeast, 0, 10, false},
		{AtLeast, 0, 5, true},
		{AtLeast, 5, 6, false},
		{AtMost, 0, 10, false},
		{AtMost, 5, 10, true},
		{AtMost, 4, 5, false},
	} {
		k := Known{Value: 5, Plies: 3, Bound: c.bound}
		if got := k.Settles(c.alpha, c.beta); got != c.want {
			t.Errorf("%+v: settles %v", c, got)
		}
	}
}

// An unknown board settles nothing.
func TestNothingSettles(t *testing.T) {
	found := NewTable(MinBits, false, false).Find(rules.Board(0x1234), 4)
	for _, k := range []Known{{}, found} {
		for _, window := range [][2]int{{-1, 1}, {0, 1}, {-1, 0}, {-5, -3}, {3, 5}} {
			if k.Settles(window[0], window[1]) {
				t.Errorf("%+v settles a search between %d and %d", k, window[0], window[1])
			}
		}
	}
}

// TestNext calls Next more often than the number of ages.
func TestNext(t *testing.T) {
	forgets, keeps := NewTable(MinBits, false, false), NewTable(MinBits, true, false)
	for n := range 600 {
		forgets.Next()
		keeps.Next()
		for b := range rules.Board(3) {
			if k := forgets.Find(b, 2); k != (Known{}) {
				t.Fatalf("after %d times %+v is still there", n+1, k)
			}
			if k := keeps.Find(b, 2); n > 2 && k.Value != int32(b) {
				t.Fatalf("after %d times %+v is kept for %d", n+1, k, b)
			}
		}
		for _, table := range []*Table{forgets, keeps} {
			table.Keep(rules.Board(n%3), 2, -9, 9, n%3, rules.North)
		}
	}
}

// TestReplacement fills one bucket. The least deep search must give way, and an old search before one of the
// present move.
func TestReplacement(t *testing.T) {
	table := NewTable(MinBits, true, false)
	boards := []rules.Board{1}
	for b := rules.Board(2); len(boards) < 7; b++ {
		if table.bucket(b, rules.Attacker) == table.bucket(boards[0], rules.Attacker) {
			boards = append(boards, b)
		}
	}
	for i, plies := range []int{4, 8, 2, 6, 8, 12, 2} {
		if i > 4 {
			table.Next()
		}
		table.Keep(boards[i], plies, 0, 1, 0, rules.North)
	}
	for i, want := range []bool{false, true, false, false, true, true, true} {
		if got := table.Find(boards[i], 2).Plies > 0; got != want {
			t.Errorf("board %d is kept: %v, want %v", i, got, want)
		}
	}
}

// TestSharedTable writes and reads from several threads at once, all in the same few buckets. A found entry
// must always be one that was kept for that board.
func TestSharedTable(t *testing.T) {
	table := NewTable(MinBits, true, true)
	var threads sync.WaitGroup
	for seed := range uint64(4) {
		threads.Go(func() {
			random := rand.New(rand.NewPCG(seed, 0))
			for range 20_000 {
				b := rules.Board(random.IntN(8000))
				if k := table.Find(b, 2); k.Plies > 0 && k.Value != int32(b) {
					t.Errorf("found %+v for %d", k, b)
				}
				table.Keep(b, 2+2*random.IntN(4), -1, 10_000, int(b), rules.North)
			}
		})
	}
	threads.Wait()
}

// TestTornEntry mixes the words of two entries, as a thread may read them: they fit no board.
func TestTornEntry(t *testing.T) {
	table := NewTable(MinBits, true, true)
	table.Keep(7, 4, 0, 10, 5, rules.North)
	entry := table.victim(7, 4)
	before := entry.mixed
	table.Keep(7, 6, 0, 10, 6, rules.North)
	if got := table.Find(7, 4); got.Value != 6 {
		t.Fatalf("found %+v, want the value 6", got)
	}
	entry.mixed = before
	if got := table.Find(7, 4); got != (Known{}) {
		t.Errorf("found %+v", got)
	}
}

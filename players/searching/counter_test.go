package searching_test

import (
	"slices"
	"testing"

	"versus2048/players/searching"
)

// A search ends at the first node with a call of stop that reports true. stop is not called between these
// nodes.
func TestStop(t *testing.T) {
	for calls := range int64(4) {
		asked := int64(0)
		count := searching.NewCounterEvery(32, func() bool { asked++; return asked > calls })
		for count.Visit() {
		}
		if want := 32 * (calls + 1); count.Nodes != want || asked != calls+1 || !count.Ended {
			t.Errorf("%d nodes, want %d; asked %d times", count.Nodes, want, asked)
		}
		if count.Visit() {
			t.Error("the search goes on after its end")
		}
	}
}

func TestEndless(t *testing.T) {
	count := searching.NewCounter(nil)
	for range 10 * searching.Period {
		if !count.Visit() {
			t.Fatalf("ended after %d nodes", count.Nodes)
		}
	}
	if count.Stop() || count.Ended {
		t.Error("a search without a function stop ends")
	}
}

// The list ends with the last expanded ply. Plies above it are in the list even if they are 0.
func TestExpansions(t *testing.T) {
	count := searching.NewCounter(nil)
	if got := count.Expansions(); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	count.Expanded[2] = 7
	got := count.Expansions()
	if count.Expanded[2]++; !slices.Equal(got, []int64{0, 0, 7}) {
		t.Errorf("%v, want 0, 0 and 7", got)
	}
}

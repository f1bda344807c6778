package proof

import (
	"slices"
	"testing"

	"versus2048/rules"
)

func TestPacked(t *testing.T) {
	for _, known := range []bounds{
		{high: unknown},
		{low: 3, high: 3, move: rules.Place(15, true)},
		{low: unknown - 1, high: unknown, move: rules.Place(0, false)},
		{},
	} {
		for _, work := range []uint64{0, 1, 1 << 63} {
			data := pack(known, work)
			if got := unpack(data); got != known || data == 0 {
				t.Errorf("%+v with work %d becomes %+v, word %x", known, work, got, data)
			}
		}
	}
}

// Later bounds of a board are added to the known ones; the board with the most work stays.
func TestTable(t *testing.T) {
	table := newTable(make([]uint64, bucketWords)) // one bucket
	table.put(1, bounds{low: 5, high: unknown}, 1000)
	table.put(1, bounds{high: 9, move: rules.Place(2, false)}, 1)
	table.put(1, bounds{low: 4, high: 20, move: rules.Place(3, false)}, 1)
	want := bounds{5, 9, rules.Place(2, false)}
	if got := table.get(1); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for b := rules.Board(2); b < 20; b++ {
		table.put(b, bounds{low: int(b), high: unknown}, 10)
		if got := table.get(b).low; got != int(b) {
			t.Errorf("board %d has %d", b, got)
		}
	}
	if got := table.get(1); got != want {
		t.Errorf("after others: %+v, want %+v", got, want)
	}
	if got := table.get(10); got != (bounds{high: unknown}) {
		t.Errorf("a board that was replaced has %+v", got)
	}
}

// An entry with only one written word belongs to no board.
func TestHalfAnEntry(t *testing.T) {
	table := newTable(make([]uint64, bucketWords))
	table.put(7, bounds{low: 1, high: 8}, 1)
	old := slices.Clone(table.words)
	table.put(7, bounds{low: 2, high: 8}, 1)
	for i := 0; i < bucketWords; i += entryWords {
		table.words[i] = old[i]
	}
	for b := range rules.Board(1 << 16) {
		if got := table.get(b); got != (bounds{high: unknown}) {
			t.Fatalf("board %x has %+v", b, got)
		}
	}
}

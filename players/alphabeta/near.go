package alphabeta

import (
	"versus2048/players/searching"
	"versus2048/rules"
)

// nearTable is a small table of one thread for the boards two plies above the leaves, which are the majority.
// It stays in the processor's cache, and leaves the other table to deeper searches. Each board has one place,
// which keeps the latest entry. The table holds no mates by distance.
type nearTable [1 << nearBits]nearEntry

const nearBits = 12

// nearEntry is the result for a board.
type nearEntry struct {
	board rules.Board
	searching.Known
}

// entry returns the place of b.
func (t *nearTable) entry(b rules.Board) *nearEntry { return &t[searching.Slot(b, nearBits)] }

// holds reports whether the entry is about b.
func (e *nearEntry) holds(b rules.Board) bool { return e.board == b && e.Plies > 0 }

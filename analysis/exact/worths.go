package exact

import (
	"math/bits"
	"slices"

	"versus2048/rules"
)

// worths are the attacker's boards of one sum in order, and their worths, which
// are found by board.
type worths struct {
	boards []rules.Board
	at     []uint32 // of each board its slot
	slots  []slot   // a table with open addressing
	shift  int
}

type slot struct {
	board rules.Board // with the highest bit set, so that 0 is no board
	worth worth
}

// occupied is set in each slot with a board. Boards of at most 12 cells leave it
// free.
const occupied = 1 << 63

// newWorths puts boards in order. Their worths are still to be set.
func newWorths(layer *parts) *worths {
	w := &worths{boards: slices.Concat(layer[:]...)}
	slices.Sort(w.boards)
	log := bits.Len(uint(2 * len(w.boards)))
	w.slots, w.shift = make([]slot, 1<<log), 64-log
	w.at = make([]uint32, len(w.boards))
	for i, b := range w.boards {
		w.at[i] = uint32(w.slot(b))
		w.slots[w.at[i]].board = b | occupied
	}
	return w
}

// slot is where b is, or would be.
func (w *worths) slot(b rules.Board) int {
	i, mask := int(hash(b)>>w.shift), len(w.slots)-1
	for w.slots[i].board != 0 && w.slots[i].board != b|occupied {
		i = (i + 1) & mask
	}
	return i
}

// of is the worth of a board, which must be there.
func (w *worths) of(b rules.Board) worth { return w.slots[w.slot(b)].worth }

// ith and set are the worth of the i-th board.
func (w *worths) ith(i int) worth        { return w.slots[w.at[i]].worth }
func (w *worths) set(i int, value worth) { w.slots[w.at[i]].worth = value }

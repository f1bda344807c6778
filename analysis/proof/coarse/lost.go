package coarse

import (
	"math/bits"

	"versus2048/rules"
)

// lost has coarse boards, one of those that are equal under a symmetry, on which the
// attacker to move cannot keep the defender from its aim.
type lost struct {
	boards []rules.Board // in order
	shift  int           // of a hash
	slots  []rules.Board // each where its hash says, or in the next free one; 0 is free, as no board with a tile is 0
}

// newLost takes boards over, which are in order.
func newLost(boards []rules.Board) *lost {
	l := &lost{boards: boards}
	width := bits.Len(uint(2*len(l.boards) + 1)) // at least half of the slots are free
	l.shift, l.slots = 64-width, make([]rules.Board, 1<<width)
	for _, b := range l.boards {
		i := l.slot(b)
		for l.slots[i] != 0 {
			i = (i + 1) & (len(l.slots) - 1)
		}
		l.slots[i] = b
	}
	return l
}

func (l *lost) slot(b rules.Board) int {
	const golden = 0x9E3779B97F4A7C15         // 2^64 divided by the golden ratio: every cell changes the highest bits
	return int(uint64(b) * golden >> l.shift) // #nosec G115 -- an index
}

// has reports whether a board with a tile is among them.
func (l *lost) has(b rules.Board) bool {
	for i := l.slot(b); l.slots[i] != 0; i = (i + 1) & (len(l.slots) - 1) {
		if l.slots[i] == b {
			return true
		}
	}
	return false
}

func (l *lost) bytes() int64 { return int64(8 * (len(l.boards) + len(l.slots))) }

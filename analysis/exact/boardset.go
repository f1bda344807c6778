package exact

import (
	"math/bits"
	"sync/atomic"

	"versus2048/rules"
)

// boardSet is a set of boards that many goroutines fill at once. It is a table
// with open addressing; the empty board cannot be in it.
type boardSet struct {
	slots []atomic.Uint64
	shift int // a hash's high bits are a slot
}

// longestProbe is how far from its slot a board may stand. Where it would be
// farther, the table is too crowded.
const longestProbe = 64

// newBoardSet makes a set for about n boards.
func newBoardSet(n int) boardSet {
	log := max(8, bits.Len(uint(2*n)))
	return boardSet{make([]atomic.Uint64, 1<<log), 64 - log}
}

func (s *boardSet) home(b rules.Board) int {
	return int(uint64(b) * 0x9E37_79B9_7F4A_7C15 >> s.shift)
}

// add puts b into the set. It is false if the set is too crowded.
func (s *boardSet) add(b rules.Board) bool { return s.slot(b) >= 0 }

// slot finds b's slot, or gives it one. It is -1 if the set is too crowded.
func (s *boardSet) slot(b rules.Board) int {
	i := s.home(b)
	for range longestProbe {
		at := s.slots[i].Load()
		if at == uint64(b) || at == 0 && s.claim(i, b) {
			return i
		}
		i = (i + 1) & (len(s.slots) - 1)
	}
	return -1
}

// claim gives b the slot i if it is free, or b has it meanwhile.
func (s *boardSet) claim(i int, b rules.Board) bool {
	return s.slots[i].CompareAndSwap(0, uint64(b)) || s.slots[i].Load() == uint64(b)
}

// find is b's slot, -1 if it is not in the set.
func (s *boardSet) find(b rules.Board) int {
	i := s.home(b)
	for range longestProbe {
		switch s.slots[i].Load() {
		case uint64(b):
			return i
		case 0:
			return -1
		}
		i = (i + 1) & (len(s.slots) - 1)
	}
	return -1
}

// boards lists the set, in no order.
func (s *boardSet) boards() []rules.Board {
	var all []rules.Board
	for i := range s.slots {
		if b := s.slots[i].Load(); b != 0 {
			all = append(all, rules.Board(b))
		}
	}
	return all
}

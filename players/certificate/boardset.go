package certificate

import (
	"math/bits"

	"versus2048/rules"
)

// A BoardSet is a set of boards with the same sum of tiles. It may be read concurrently.
type BoardSet struct {
	boards []rules.Board // in order
	shift  int           // a hash is shifted to the right by shift: its highest bits select the slot
	slots  []rules.Board // each board is in the slot of its hash or the next free one; 0 is a free slot
}

// NewBoardSet makes a set of boards, and keeps the slice. They must be in order, and none may be empty.
func NewBoardSet(boards []rules.Board) *BoardSet {
	s := &BoardSet{boards: boards}
	width := bits.Len(uint(2*len(s.boards) + 1)) // at least half of the slots are free
	s.shift, s.slots = 64-width, make([]rules.Board, 1<<width)
	for _, b := range s.boards {
		i := s.slot(b)
		for s.slots[i] != 0 {
			i = (i + 1) & (len(s.slots) - 1)
		}
		s.slots[i] = b
	}
	return s
}

// Boards returns the boards in order. The caller must not change them.
func (s *BoardSet) Boards() []rules.Board { return s.boards }

func (s *BoardSet) slot(b rules.Board) int {
	const golden = 0x9E3779B97F4A7C15         // 2^64 divided by the golden ratio: every cell changes the highest bits
	return int(uint64(b) * golden >> s.shift) // #nosec G115 -- an index
}

// Has reports whether the set contains b, which must not be empty.
func (s *BoardSet) Has(b rules.Board) bool {
	for i := s.slot(b); s.slots[i] != 0; i = (i + 1) & (len(s.slots) - 1) {
		if s.slots[i] == b {
			return true
		}
	}
	return false
}

// Bytes returns the memory of the set.
func (s *BoardSet) Bytes() int64 { return int64(8 * (len(s.boards) + len(s.slots))) }

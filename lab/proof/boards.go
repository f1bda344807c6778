package proof

import (
	"slices"

	"versus2048/rules"
)

// boards is a set of canonical boards. It is a table with open addressing.
type boards struct {
	slots []rules.Board // 0 for a free one; gone for a board that was removed
	taken int           // the number of slots that are not free
	empty bool          // whether the empty board is in the set
}

// gone is the board with only a 32768, in the last cell of 4x4. That board is not canonical.
const gone = rules.Board(15) << 60

// slot returns the slot that has a board, or the free one for it.
func (s *boards) slot(b rules.Board) *rules.Board {
	mask := uint64(len(s.slots) - 1)
	for i := mixed(uint64(b)) & mask; ; i = (i + 1) & mask {
		if slot := &s.slots[i]; *slot == b || *slot == 0 {
			return slot
		}
	}
}

// fetch reads the slot where a search for a board begins. It is not inlined, so the compiler cannot leave out the read.
//
//go:noinline
func (s *boards) fetch(b rules.Board) rules.Board {
	if len(s.slots) == 0 {
		return 0
	}
	return s.slots[mixed(uint64(b))&uint64(len(s.slots)-1)]
}

// reset removes all boards.
func (s *boards) reset() {
	clear(s.slots)
	s.taken, s.empty = 0, false
}

func (s *boards) has(b rules.Board) bool {
	if b == 0 {
		return s.empty
	}
	return s.taken > 0 && *s.slot(b) == b
}

// add adds a board that the set does not have.
func (s *boards) add(b rules.Board) {
	if b == 0 {
		s.empty = true
		return
	}
	if s.taken >= len(s.slots)*5/8 {
		s.grow()
	}
	*s.slot(b) = b
	s.taken++
}

// addAll adds boards that the set does not have.
func (s *boards) addAll(all []rules.Board) {
	for _, b := range all {
		s.add(b)
	}
}

// remove removes a board that the set has.
func (s *boards) remove(b rules.Board) {
	if b == 0 {
		s.empty = false
		return
	}
	*s.slot(b) = gone
}

func (s *boards) grow() {
	old := s.slots
	s.slots, s.taken = make([]rules.Board, max(leastSlots, 2*len(old))), 0
	for _, b := range old {
		if b != 0 && b != gone {
			*s.slot(b) = b
			s.taken++
		}
	}
}

// sorted returns the boards in ascending order.
func (s *boards) sorted() (all []rules.Board) {
	if s.empty {
		all = append(all, 0)
	}
	for _, b := range s.slots {
		if b != 0 && b != gone {
			all = append(all, b)
		}
	}
	slices.Sort(all)
	return all
}

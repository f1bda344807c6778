package proof

import "versus2048/rules"

// boardSet is a set of boards with the attacker to move, each with the fewest 4s that were placed on a way to it. It is
// a table with open addressing; the empty board marks free slots, and no slide leads to it.
type boardSet struct {
	slots []policyBoard
	count int
}

// leastSlots is the size of a new set, a power of two.
const leastSlots = 1 << 10

// slot returns the slot that has the board, or the free one for it.
func (s *boardSet) slot(b rules.Board) *policyBoard {
	mask := uint64(len(s.slots) - 1)
	for i := mixed(uint64(b)) & mask; ; i = (i + 1) & mask {
		if slot := &s.slots[i]; slot.board == b || slot.board == 0 {
			return slot
		}
	}
}

// has reports whether the set has a board.
func (s *boardSet) has(b rules.Board) bool { return s.count > 0 && s.slot(b).board == b }

// add adds a board, or lowers its number of 4s.
func (s *boardSet) add(b policyBoard) {
	if s.count >= len(s.slots)*3/4 {
		s.grow()
	}
	slot := s.slot(b.board)
	if slot.board == 0 {
		s.count++
		*slot = b
	}
	slot.fours = min(slot.fours, b.fours)
}

func (s *boardSet) grow() {
	old := s.slots
	s.slots = make([]policyBoard, max(leastSlots, 2*len(old)))
	for _, b := range old {
		if b.board != 0 {
			*s.slot(b.board) = b
		}
	}
}

// all returns the boards. Their order depends only on the order in which they were added.
func (s *boardSet) all() []policyBoard {
	all := make([]policyBoard, 0, s.count)
	for _, b := range s.slots {
		if b.board != 0 {
			all = append(all, b)
		}
	}
	return all
}

// bytes returns the memory that the set takes while it grows: the present slots and twice as many new ones.
func (s *boardSet) bytes() int64 { return 3 * boardBytes * int64(len(s.slots)) }

// mixed spreads the bits of a board.
func mixed(x uint64) uint64 {
	const odd = 0xd6e8feb86659fd93
	x = (x ^ x>>32) * odd
	x = (x ^ x>>32) * odd
	return x ^ x>>32
}

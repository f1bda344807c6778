package census

import "versus2048/rules"

// space numbers the boards of one sum of tiles: a board's rank counts those that
// come before it. They are ordered by the sum of their upper half, then by that
// half's rank, then by the lower half's. The upper half is in the high bits of
// the board. So a layer of a census is a set of numbers, close together, and cut
// into pieces.
type space struct {
	*halves
	sum   int      // in units of a 2
	first []uint64 // the least rank by the sum of the upper half
	shift int      // a piece has 1<<shift ranks
}

// pieceBits and mostPieces bound the pieces. A piece as a bitmap fits the L2
// cache; spaces of large sums have fewer and longer pieces.
const (
	pieceBits  = 22
	mostPieces = 1 << 16
)

// space numbers the boards of a sum.
func (h *halves) space(sum int) *space {
	s := &space{halves: h, sum: sum, first: make([]uint64, sum+2), shift: pieceBits}
	for upper := range sum + 1 {
		s.first[upper+1] = s.first[upper] + h.pairs[upper]*h.pairs[sum-upper]
	}
	for s.pieces() > mostPieces {
		s.shift++
	}
	return s
}

// pieces is the number of pieces.
func (s *space) pieces() int { return int((s.first[s.sum+1]-1)>>s.shift) + 1 }

// rank is the rank of a board, which must have the sum.
func (s *space) rank(b rules.Board) uint64 {
	upper, u := s.pair(uint32(b >> 32))
	lower, l := s.pair(uint32(b))
	return s.first[upper] + u*s.pairs[lower] + l
}

// appendRanks appends the ranks of boards.
func (s *space) appendRanks(dst []uint64, boards []rules.Board) []uint64 {
	for _, b := range boards {
		dst = append(dst, s.rank(b))
	}
	return dst
}

// A cursor finds the boards of growing ranks. It begins where it found the last
// one.
type cursor struct {
	*space
	upper     int         // sum of the upper half
	half      rules.Board // the upper half
	from, end uint64      // the ranks of the boards with that half
	third     int         // sum of the lower half's upper row
}

// board is the board of a rank, which must not be below the last one.
func (c *cursor) board(rank uint64) rules.Board {
	if rank >= c.end {
		c.seek(rank)
	}
	lower, third := c.unpair(c.sum-c.upper, c.third, uint32(rank-c.from))
	c.third = third
	return c.half | rules.Board(lower)
}

// seek finds the upper half of the board of a rank.
func (c *cursor) seek(rank uint64) {
	for c.space.first[c.upper+1] <= rank {
		c.upper++
	}
	lower := c.pairs[c.sum-c.upper]
	half := (rank - c.space.first[c.upper]) / lower
	c.from = c.space.first[c.upper] + half*lower
	c.end = c.from + lower
	rows, _ := c.unpair(c.upper, 0, uint32(half))
	c.half, c.third = rules.Board(rows)<<32, 0
}

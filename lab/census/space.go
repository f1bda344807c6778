package census

import "versus2048/rules"

// space numbers all boards with one sum of tiles: a board's rank is the number of boards that come before it. Boards
// are ordered by the sum of their upper half, then by the rank of that half, then by the rank of the lower half. The
// upper half is in the high bits of the board. A layer of a census is a set of ranks with small gaps between them. The
// ranks are divided into pieces of equal length, except for the last piece.
type space struct {
	halves *halves
	sum    int      // in units of a 2
	first  []uint64 // the least rank for each sum of the upper half, and the end
	shift  int      // a piece has 1<<shift ranks; the last piece may have fewer
}

// The sizes of pieces. The bitmap of a piece of 1<<pieceBits ranks fits the L2 cache. Spaces of large sums have longer
// pieces, so that there are at most mostPieces.
const (
	pieceBits  = 22
	mostPieces = 1 << 16
)

// space returns the space of a sum.
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

// pieces returns the number of pieces.
func (s *space) pieces() int { return int((s.first[s.sum+1]-1)>>s.shift) + 1 }

// ranks returns the number of ranks in a piece. The last piece may have fewer than the others.
func (s *space) ranks(piece int) uint64 {
	return min(1<<s.shift, s.first[s.sum+1]-uint64(piece)<<s.shift)
}

// rank returns the rank of a board, which must have the space's sum.
func (s *space) rank(b rules.Board) uint64 {
	upper, u := s.halves.pair(uint32(b >> 32))
	lower, l := s.halves.pair(uint32(b))
	return s.first[upper] + u*s.halves.pairs[lower] + l
}

// appendRanks appends the ranks of boards.
func (s *space) appendRanks(dst []uint64, boards []rules.Board) []uint64 {
	for _, b := range boards {
		dst = append(dst, s.rank(b))
	}
	return dst
}

// A cursor finds the boards of increasing ranks. It starts each search where the
// last one ended.
type cursor struct {
	space     *space
	upper     int         // sum of the upper half
	half      rules.Board // the upper half
	from, end uint64      // the ranks of the boards with that half
	third     int         // sum of the lower half's upper row
}

// board returns the board of a rank. The rank must not be below the rank of the last call.
func (c *cursor) board(rank uint64) rules.Board {
	if rank >= c.end {
		c.seek(rank)
	}
	lower, third := c.space.halves.unpair(c.space.sum-c.upper, c.third, uint32(rank-c.from))
	c.third = third
	return c.half | rules.Board(lower)
}

// seek finds the upper half of the board of a rank.
func (c *cursor) seek(rank uint64) {
	s := c.space
	for s.first[c.upper+1] <= rank {
		c.upper++
	}
	lower := s.halves.pairs[s.sum-c.upper]
	half := (rank - s.first[c.upper]) / lower
	c.from = s.first[c.upper] + half*lower
	c.end = c.from + lower
	rows, _ := s.halves.unpair(c.upper, 0, uint32(half))
	c.half, c.third = rules.Board(rows)<<32, 0
}

// potentials returns the smallest and the largest potential of some boards. The rank of each board is base plus
// one of the numbers.
func (c *cursor) potentials(base uint64, numbers []uint32) (least, most int) {
	least = c.board(base + uint64(numbers[0])).Potential()
	most = least
	for _, x := range numbers {
		p := c.board(base + uint64(x)).Potential()
		least, most = min(least, p), max(most, p)
	}
	return least, most
}

// halves numbers rows of four cells among the rows of the same sum, and pairs of
// rows, that is halves of a board, among the pairs of the same sum. Sums are in units
// of a 2.
type halves struct {
	rows   [1 << 16]rowRank
	rowsOf [][]uint16 // the rows of each sum in the order of their ranks
	pairs  []uint64   // number of pairs of each sum
	first  []uint32   // [sum*len(pairs)+s]: the least rank of a pair with the sum s in its upper row
}

// rowRank is a row's sum, its rank among the rows of that sum, and the number of these rows.
type rowRank struct{ sum, rank, rows uint16 }

// newHalves numbers the pairs of all sums up to most.
func newHalves(most int) *halves {
	h := &halves{rowsOf: make([][]uint16, most+1), pairs: make([]uint64, most+1)}
	for row := range h.rows {
		if s := rules.Board(row).Sum() / 2; s <= most {
			h.rows[row] = rowRank{sum: uint16(s), rank: uint16(len(h.rowsOf[s]))}
			h.rowsOf[s] = append(h.rowsOf[s], uint16(row))
		}
	}
	for _, rows := range h.rowsOf {
		for _, row := range rows {
			h.rows[row].rows = uint16(len(rows))
		}
	}
	h.first = make([]uint32, len(h.pairs)*len(h.pairs))
	for s := range h.pairs {
		for upper := range s + 1 {
			h.first[s*len(h.pairs)+upper] = uint32(h.pairs[s])
			h.pairs[s] += uint64(len(h.rowsOf[upper]) * len(h.rowsOf[s-upper]))
		}
	}
	return h
}

// leastRanks returns the least rank of the pairs of a sum, for each sum of the upper
// row.
func (h *halves) leastRanks(sum int) []uint32 { return h.first[sum*len(h.pairs):][:sum+1] }

// pair returns the sum of two rows, the upper one in the high bits, and their rank
// among the pairs of that sum.
func (h *halves) pair(rows uint32) (sum int, rank uint64) {
	upper, lower := &h.rows[rows>>16], &h.rows[rows&0xFFFF]
	sum = int(upper.sum) + int(lower.sum)
	least := h.first[sum*len(h.pairs)+int(upper.sum)]
	return sum, uint64(least) + uint64(upper.rank)*uint64(lower.rows) + uint64(lower.rank)
}

// unpair returns the pair with the given rank among the pairs of a sum, and the sum of the pair's upper row. The search
// for the upper row's sum begins at upper, which must not be above that sum.
func (h *halves) unpair(sum, upper int, rank uint32) (rows uint32, upperSum int) {
	least := h.leastRanks(sum)
	for upper < sum && least[upper+1] <= rank {
		upper++
	}
	lower := h.rowsOf[sum-upper]
	rank -= least[upper]
	n := uint32(len(lower))
	return uint32(h.rowsOf[upper][rank/n])<<16 | uint32(lower[rank%n]), upper
}

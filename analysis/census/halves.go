package census

// halves numbers rows of four cells, and pairs of rows, among those of the same
// sum. Sums are in units of a 2.
type halves struct {
	rows   [1 << 16]rowRank
	rowsOf [][]uint16 // by sum, in the order of their ranks
	pairs  []uint64   // how many pairs there are of each sum
	first  []uint32   // [sum*len(pairs)+s]: the least rank of a pair whose upper row has the sum s
}

// rowRank is a row's sum, and its rank among the rows of that sum, of which there
// are so many.
type rowRank struct{ sum, rank, of uint16 }

// newHalves numbers the pairs of sums up to the given one.
func newHalves(most int) *halves {
	h := &halves{rowsOf: make([][]uint16, most+1), pairs: make([]uint64, most+1)}
	for row := range h.rows {
		if s := rowSum(uint16(row)); s <= most {
			h.rows[row] = rowRank{sum: uint16(s), rank: uint16(len(h.rowsOf[s]))}
			h.rowsOf[s] = append(h.rowsOf[s], uint16(row))
		}
	}
	for _, rows := range h.rowsOf {
		for _, row := range rows {
			h.rows[row].of = uint16(len(rows))
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

// rowSum is the sum of a row's tiles.
func rowSum(row uint16) (sum int) {
	for ; row != 0; row >>= 4 {
		sum += 1 << (row & 15) >> 1
	}
	return sum
}

// upperRows are the least ranks of the pairs of a sum, by the sum of their upper
// row.
func (h *halves) upperRows(sum int) []uint32 { return h.first[sum*len(h.pairs):][:sum+1] }

// pair is the sum of two rows, the upper one in the high bits, and their rank
// among the pairs of that sum.
func (h *halves) pair(rows uint32) (sum int, rank uint64) {
	upper, lower := &h.rows[rows>>16], &h.rows[rows&0xFFFF]
	sum = int(upper.sum) + int(lower.sum)
	least := h.first[sum*len(h.pairs)+int(upper.sum)]
	return sum, uint64(least) + uint64(upper.rank)*uint64(lower.of) + uint64(lower.rank)
}

// unpair is the pair of a rank among those of a sum. The upper row's sum is at
// least the given one; its own comes back.
func (h *halves) unpair(sum, upper int, rank uint32) (rows uint32, upperSum int) {
	least := h.upperRows(sum)
	for upper < sum && least[upper+1] <= rank {
		upper++
	}
	lower := h.rowsOf[sum-upper]
	rank -= least[upper]
	n := uint32(len(lower))
	return uint32(h.rowsOf[upper][rank/n])<<16 | uint32(lower[rank%n]), upper
}

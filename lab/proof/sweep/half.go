package sweep

import "versus2048/rules"

// A code is half a board: 3 bits for each cell, the exponent of its tile, column by
// column and in each column from the top.
type code = uint32

// A half has precomputed tables for the left or for the right columns of a board.
type half struct {
	size    rules.Size // of the whole board, lying down
	first   int        // the first of its columns
	columns int
	sum     []uint16 // of the tiles, by code
	worth   []uint16 // of the tiles, in units
	rank    []uint32 // by code: its place among the codes of the same sum
	bySum   [][]code // the codes of each sum, by half the sum
	north   []shift
	south   []shift
	rows    []uint64 // the half's cells row by row, at their places in the whole board
	flipped []code   // by code: the half upside down
	mirror  []code   // by code: the half with its columns in reverse order

	cheapest []int // the least worth of the codes of each sum, by half the sum
}

// A shift is the result of sliding half a board.
type shift struct {
	code code
	gain uint16 // in units; reached if the half's tiles after the slide are worth the ceiling or more
}

// reached is the gain of a slide that brings the defender to the ceiling. It is larger than the values of a layer,
// which are bytes.
const reached = 1 << 12

// newHalf makes the tables for columns of a board. Codes with tiles worth the ceiling or more have only a worth: they
// are in no list of bySum.
func newHalf(g *geometry, first, columns int) *half {
	n := 1 << (bitsOfCell * int(g.size.Height) * columns)
	h := &half{
		size: g.size, first: first, columns: columns,
		sum: make([]uint16, n), worth: make([]uint16, n), rank: make([]uint32, n),
		north: make([]shift, n), south: make([]shift, n), rows: make([]uint64, n),
		flipped: make([]code, n), mirror: make([]code, n),
	}
	for c := range code(n) {
		b := h.board(c)
		h.worth[c] = uint16(g.worthOf(b)) // #nosec G115 -- less than 2^13
		if g.worthOf(b) < g.ceiling {
			h.enter(g, c, b)
		}
	}
	return h
}

// enter fills the tables for a code. b is the board with this half, and nothing in the other one.
func (h *half) enter(g *geometry, c code, b rules.Board) {
	h.sum[c] = uint16(b.Sum()) // #nosec G115 -- less than 2^11
	for len(h.bySum) <= b.Sum()/2 {
		h.bySum = append(h.bySum, nil)
		h.cheapest = append(h.cheapest, g.ceiling)
	}
	h.cheapest[b.Sum()/2] = min(h.cheapest[b.Sum()/2], int(h.worth[c]))
	list := &h.bySum[b.Sum()/2]
	h.rank[c] = uint32(len(*list)) // #nosec G115 -- codes are 24 bits at most
	*list = append(*list, c)
	h.north[c], h.south[c] = h.shift(g, b, rules.North), h.shift(g, b, rules.South)
	height := int(h.size.Height)
	for x := range h.columns {
		for y := range height {
			k := cellOf(c, x*height+y)
			h.rows[c] |= uint64(k) << (bitsOfCell * (y*int(h.size.Width) + h.first + x))
			h.flipped[c] |= k << (bitsOfCell * (x*height + height - 1 - y))
			h.mirror[c] |= k << (bitsOfCell * ((h.columns-1-x)*height + y))
		}
	}
}

// shift returns the result of a slide along the columns of a board with nothing in the other half.
func (h *half) shift(g *geometry, b rules.Board, m rules.Move) shift {
	after := b.Slide(h.size, m)
	if g.worthOf(after) >= g.ceiling {
		return shift{gain: reached}
	}
	return shift{h.code(after), uint16((after.Potential() - b.Potential()) / unit)} // #nosec G115 -- below the ceiling
}

// cellOf returns the exponent in a cell of a code.
func cellOf(c code, cell int) code { return c >> (bitsOfCell * cell) & (1<<bitsOfCell - 1) }

// board returns the board with this half, and nothing in the other one.
func (h *half) board(c code) (b rules.Board) {
	height := int(h.size.Height)
	for x := range h.columns {
		for y := range height {
			b = b.With(4*y+h.first+x, int(cellOf(c, x*height+y)))
		}
	}
	return b
}

// code returns the half of a board.
func (h *half) code(b rules.Board) (c code) {
	height := int(h.size.Height)
	for x := range h.columns {
		for y := range height {
			c |= code(b.Exponent(4*y+h.first+x)) << (bitsOfCell * (x*height + y)) // #nosec G115 -- 4 bits
		}
	}
	return c
}

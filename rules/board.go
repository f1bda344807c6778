package rules

import "math/bits"

// Board is 16 cells of 4 bits: bits 4i to 4i+3 hold cell i. Cells are numbered row by row from the top left
// corner. A cell holds the exponent k of its tile 2^k, 1 to 15, or 0 if it is empty. A Board alone can only
// hold tiles up to 32768; Position keeps track of the rare larger one.
type Board uint64

// Exponent returns the exponent of the tile in cell i (0 to 15), or 0 if the cell is empty.
func (b Board) Exponent(i int) int { return int(b>>(4*i)) & 15 }

// With returns the board with a tile of exponent k (1 to 15) on cell i (0 to 15), which must be empty.
func (b Board) With(i, k int) Board { return b | Board(k)<<(4*i) }

// Empty returns the empty cells of a board of size s as a mask: bit 4i is set if cell i is empty.
func (b Board) Empty(s Size) uint64 {
	z := uint64(b)
	z |= z >> 1
	z |= z >> 2
	return ^z & s.ones()
}

// EmptyCells counts the empty cells of a board of size s.
func (b Board) EmptyCells(s Size) int { return bits.OnesCount64(b.Empty(s)) }

// Transpose mirrors the board about the diagonal from the top left corner.
func (b Board) Transpose() Board {
	b = b&0xF0F0_0F0F_F0F0_0F0F | b&0x0000_F0F0_0000_F0F0<<12 | b>>12&0x0000_F0F0_0000_F0F0
	return b&0xFF00_FF00_00FF_00FF | b&0x0000_0000_FF00_FF00<<24 | b>>24&0x0000_0000_FF00_FF00
}

// Slide moves all tiles of a board of size s as far as they go. m is North, South, West or East. The result
// equals b if the slide is illegal. Two 32768s do not merge here: see Position.
func (b Board) Slide(s Size, m Move) Board {
	switch m {
	case North:
		return b.Transpose().west().Transpose()
	case South:
		// A smaller board is pushed against the far wall of the grid first.
		gap := 16 * (4 - s.Height)
		return (b << gap).Transpose().east().Transpose() >> gap
	case West:
		return b.west()
	default:
		gap := 4 * (4 - s.Width)
		return (b << gap).east() >> gap
	}
}

// Stuck reports whether no slide changes a board of size s. As in Slide, two
// 32768s do not merge here: see Position.Over.
func (b Board) Stuck(s Size) bool {
	if empty := b.Empty(s); empty != 0 {
		return b == 0 // a tile beside an empty cell can move there
	}
	// On a full board, two tiles that merge one way also merge the opposite way.
	return b.west() == b && b.Slide(s, North) == b
}

// Potential returns the sum of (k-1)*2^k over the tiles 2^k. This is the defender's score if every tile was
// built by merging 2s. A slide scores exactly as much as it adds to the potential; placing a 4 adds 4 to the
// potential without any score.
func (b Board) Potential() int {
	t := rows.potential
	return int(t[b&0xFFFF]) + int(t[b>>16&0xFFFF]) + int(t[b>>32&0xFFFF]) + int(t[b>>48])
}

// Sum returns the sum of the tiles. A 65536 counts as the 32768 that the board shows instead: see Position.Sum.
func (b Board) Sum() int {
	sum := 0
	for ; b != 0; b >>= 4 {
		sum += tileValue(int(b & 15))
	}
	return sum
}

func (b Board) west() Board {
	t := rows.west
	return Board(t[b&0xFFFF]) | Board(t[b>>16&0xFFFF])<<16 | Board(t[b>>32&0xFFFF])<<32 | Board(t[b>>48])<<48
}

func (b Board) east() Board {
	t := rows.east
	return Board(t[b&0xFFFF]) | Board(t[b>>16&0xFFFF])<<16 | Board(t[b>>32&0xFFFF])<<32 | Board(t[b>>48])<<48
}

// rowTables hold precomputed results for every row of four cells, indexed by the row's 16 bits.
type rowTables struct {
	west, east *[1 << 16]uint16 // the row after a slide
	potential  *[1 << 16]uint32 // the row's share of Board.Potential
}

// rows is computed once and never changes.
var rows = newRowTables()

func newRowTables() rowTables {
	t := rowTables{new([1 << 16]uint16), new([1 << 16]uint16), new([1 << 16]uint32)}
	for i := range 1 << 16 {
		row := uint16(i)
		t.west[row] = packRow(slideLine(unpackRow(row), maxNibble))
		t.east[reverseRow(row)] = reverseRow(t.west[row])
		for _, k := range unpackRow(row) {
			t.potential[row] += tilePotential(int(k))
		}
	}
	return t
}

// The largest exponents. A 65536 never merges.
const (
	maxNibble   = 15 // in a cell of a Board
	maxExponent = 16 // in a Position
)

// slideLine slides four cells towards the first one. Tiles of exponent limit do not merge.
func slideLine(line [4]uint8, limit uint8) [4]uint8 {
	var out [4]uint8
	n, merged := 0, false
	for _, k := range line {
		switch {
		case k == 0:
		case n > 0 && !merged && out[n-1] == k && k < limit:
			out[n-1]++
			merged = true
		default:
			out[n] = k
			n++
			merged = false
		}
	}
	return out
}

// tilePotential returns (k-1)*2^k, or 0 for an empty cell.
func tilePotential(k int) uint32 {
	if k == 0 {
		return 0
	}
	return uint32(k-1) << k
}

// tileValue returns 2^k, or 0 for an empty cell.
func tileValue(k int) int { return 1 << k &^ 1 }

func unpackRow(r uint16) [4]uint8 {
	return [4]uint8{uint8(r & 15), uint8(r >> 4 & 15), uint8(r >> 8 & 15), uint8(r >> 12)}
}

func packRow(line [4]uint8) uint16 {
	return uint16(line[0]) | uint16(line[1])<<4 | uint16(line[2])<<8 | uint16(line[3])<<12
}

func reverseRow(r uint16) uint16 { return r<<12 | r<<4&0xF00 | r>>4&0xF0 | r>>12 }

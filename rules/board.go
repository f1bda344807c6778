package rules

import "math/bits"

// Board is 16 cells of 4 bits: bits 4i to 4i+3 hold cell i, the cells counted
// row by row from the top left corner. A cell holds the exponent k of its
// tile 2^k, 1 to 15, or 0 if it is empty. A Board alone knows tiles up to
// 32768; the rare larger one is kept by Position.
type Board uint64

// Exponent is the exponent of the tile in cell i (0 to 15), 0 if it is empty.
func (b Board) Exponent(i int) int { return int(b>>(4*i)) & 15 }

// With puts a tile of exponent k (1 to 15) on cell i, which must be empty.
func (b Board) With(i, k int) Board { return b | Board(k)<<(4*i) }

// Empty has the lowest bit of each empty cell of a board of size s set: the
// bit 4i for cell i.
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

// Slide moves all tiles of a board of size s as far as they go. m is North,
// South, West or East. The result equals b if the slide is illegal. Two
// 32768s do not merge here: see Position.
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

// Stuck tells whether no slide changes a board of size s. As for Slide, two
// 32768s are no pair here: see Position.Over.
func (b Board) Stuck(s Size) bool {
	if empty := b.Empty(s); empty != 0 {
		return b == 0 // a tile beside an empty cell can move there
	}
	// On a full board what merges one way merges the other way too.
	return b.west() == b && b.Slide(s, North) == b
}

// Potential is the sum of (k-1)*2^k over the tiles 2^k: what merging placed 2s
// into these tiles has scored. A slide gains exactly the potential that it
// adds, and a placed 4 adds 4 that nobody scored.
func (b Board) Potential() int {
	t := rows.potential
	return int(t[b&0xFFFF]) + int(t[b>>16&0xFFFF]) + int(t[b>>32&0xFFFF]) + int(t[b>>48])
}

func (b Board) west() Board {
	t := rows.west
	return Board(t[b&0xFFFF]) | Board(t[b>>16&0xFFFF])<<16 | Board(t[b>>32&0xFFFF])<<32 | Board(t[b>>48])<<48
}

func (b Board) east() Board {
	t := rows.east
	return Board(t[b&0xFFFF]) | Board(t[b>>16&0xFFFF])<<16 | Board(t[b>>32&0xFFFF])<<32 | Board(t[b>>48])<<48
}

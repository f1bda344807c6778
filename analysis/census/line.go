package census

import (
	"slices"

	"versus2048/rules"
)

// line is what becomes of a row of cells, indexed by the row's 16 bits.
type line struct {
	west, east slid
	ways       uint8 // bit i: there are rows placed[i]
}

// slid is what becomes of a row that slides one way.
type slid struct {
	row    uint16    // as it is
	placed [2]uint16 // the different rows that a 2 on a gap makes
	moves  uint8     // bit i: placed[i] comes of a slide that changes the row; slides: so does row
}

// slides is the bit of slid.moves that tells that the row slides as it is.
const slides = 4

// newLines is the table for rows of so many cells, the rest of the 4 being
// outside the board. Two tiles of 32768 do not merge.
func newLines(width int) *[1 << 16]line {
	mirror := func(row uint16) uint16 { return uint16(mirrored(rules.Board(row)) >> (4 * (4 - width))) }
	slideEast := func(row uint16) uint16 { return mirror(slideWest(mirror(row))) }
	t := new([1 << 16]line)
	for row := range 1 << (4 * width) {
		ways := t[row].west.fill(uint16(row), width, slideWest)
		t[row].east.fill(uint16(row), width, slideEast)
		t[row].ways = 1<<ways - 1
	}
	return t
}

// fill finds out what becomes of a row, and returns how many different ones a 2
// on a gap makes. They are two at most: with three gaps the 2 comes before or
// after the one tile.
func (s *slid) fill(row uint16, width int, slide func(uint16) uint16) (ways int) {
	if s.row = slide(row); s.row != row {
		s.moves = slides
	}
	for cell := range width {
		if row>>(4*cell)&15 != 0 {
			continue
		}
		with := row | 1<<(4*cell)
		after := slide(with)
		way := slices.Index(s.placed[:ways], after)
		if way < 0 {
			way = ways
			s.placed[way] = after
			ways++
		}
		if after != with {
			s.moves |= 1 << way
		}
	}
	return ways
}

// slideWest slides the four cells of a row towards its low bits.
func slideWest(row uint16) (out uint16) {
	shift, last := 0, uint16(0) // last is the tile that may still merge
	for ; row != 0; row >>= 4 {
		switch k := row & 15; {
		case k == 0:
		case k == last && k < 15:
			out += 1 << (shift - 4)
			last = 0
		default:
			out |= k << shift
			shift += 4
			last = k
		}
	}
	return out
}

package census

import (
	"math/bits"
	"slices"

	"versus2048/rules"
)

// geometry holds the size of the board and the tables for that size.
type geometry struct {
	size         rules.Size
	across, down *[1 << 16]line // for rows, and for columns
}

func newGeometry(s rules.Size) *geometry {
	g := &geometry{size: s, across: newLines(int(s.Width))}
	g.down = g.across
	if !s.Square() {
		g.down = newLines(int(s.Height))
	}
	return g
}

// successors adds the boards two plies later: a 2 is placed, then a slide follows.
// Boards that equal each other under a symmetry may be added several times.
func (g *geometry) successors(to *boards, b rules.Board) {
	to.slide(b, g.across, int(g.size.Height))
	across := to.n
	to.slide(b.Transpose(), g.down, int(g.size.Width))
	if !g.size.Square() { // on a square board the diagonal is a symmetry
		for i := range to.at[across:to.n] {
			to.at[across+i] = to.at[across+i].Transpose()
		}
	}
}

// canonicalize replaces boards by their representatives.
func (g *geometry) canonicalize(boards []rules.Board) {
	if g.size != rules.Full {
		for i, b := range boards {
			boards[i] = b.Canonical(g.size)
		}
		return
	}
	for i, b := range boards {
		boards[i] = min(least(b), least(b.Transpose()))
	}
}

// canonical returns the representative of the boards that equal b under a symmetry,
// the same one as rules.Board.Canonical.
func (g *geometry) canonical(b rules.Board) rules.Board {
	if g.size != rules.Full {
		return b.Canonical(g.size)
	}
	return min(least(b), least(b.Transpose()))
}

// least returns the least of a full-size board and its images under reflections of
// rows and columns. Reversing the order of the bytes turns the board by 180 degrees,
// except for the two cells within each byte.
func least(b rules.Board) rules.Board {
	turned := rules.Board(bits.ReverseBytes64(uint64(swapped(b))))
	return min(b, mirrored(b), turned, mirrored(turned))
}

// swapped exchanges the two cells within each byte.
func swapped(b rules.Board) rules.Board {
	return b&0x0F0F_0F0F_0F0F_0F0F<<4 | b>>4&0x0F0F_0F0F_0F0F_0F0F
}

// mirrored reverses each row of the 4x4 grid.
func mirrored(b rules.Board) rules.Board {
	b = swapped(b)
	return b&0x00FF_00FF_00FF_00FF<<8 | b>>8&0x00FF_00FF_00FF_00FF
}

// boards is a buffer for the successors of a batch of positions. The first n entries
// are in use.
type boards struct {
	n  int
	at [batch * mostSuccessors]rules.Board
}

// mostSuccessors is an upper bound for one board: two for each row and slide.
const mostSuccessors = 4 * 4 * 2

// slide adds the boards after placing a 2 and sliding west or east. All rows slide as
// they would without the 2, except for the one that it was placed on.
func (to *boards) slide(b rules.Board, lines *[1 << 16]line, height int) {
	l := [4]*line{&lines[b&0xFFFF], &lines[b>>16&0xFFFF], &lines[b>>32&0xFFFF], &lines[b>>48]}
	west := rules.Board(l[0].west.row) | rules.Board(l[1].west.row)<<16 | rules.Board(l[2].west.row)<<32 | rules.Board(l[3].west.row)<<48
	east := rules.Board(l[0].east.row) | rules.Board(l[1].east.row)<<16 | rules.Board(l[2].east.row)<<32 | rules.Board(l[3].east.row)<<48
	movesWest := l[0].west.moves&slides + l[1].west.moves&slides + l[2].west.moves&slides + l[3].west.moves&slides
	movesEast := l[0].east.moves&slides + l[1].east.moves&slides + l[2].east.moves&slides + l[3].east.moves&slides
	for i, row := range l[:height] {
		if row.ways != 0 {
			to.place(west, &row.west, row.ways, movesWest, 16*i)
			to.place(east, &row.east, row.ways, movesEast, 16*i)
		}
	}
}

// place adds the boards with a 2 on the row that begins at bit at. moves is the sum of the bits slides in the
// outcome.moves of all rows. Boards that are not legal are written as well and then overwritten, because a branch would
// be hard to predict.
func (to *boards) place(board rules.Board, row *outcome, ways, moves uint8, at int) {
	rest := board &^ (0xFFFF << (at & 63))
	others := (moves - row.moves&slides + 15) >> 4 // 1 if another row moves
	legal := ways & (row.moves | 3*others)
	n := to.n
	to.at[n%len(to.at)] = rest | rules.Board(row.placed[0])<<(at&63)
	n += int(legal & 1)
	to.at[n%len(to.at)] = rest | rules.Board(row.placed[1])<<(at&63)
	to.n = n + int(legal>>1)
}

// line has the outcomes of placing a 2 on a row and sliding it. Tables of lines are
// indexed by the row's 16 bits.
type line struct {
	west, east outcome
	ways       uint8 // bit i is set if placed[i] is in use
}

// outcome has the rows after a slide in one direction.
type outcome struct {
	row    uint16    // the row after the slide, without a 2
	placed [2]uint16 // the distinct rows after the slide, with a 2 on one of the gaps
	moves  uint8     // bit i: the slide to placed[i] changes the row; bit slides: the slide to row does
}

// slides is the bit of outcome.moves for the row without a 2.
const slides = 4

// newLines returns the table for rows of the given width. The rest of the four cells is
// outside the board. Two 32768s do not merge.
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

// fill computes the rows after a slide, and returns the number of distinct ones with a
// 2 on a gap. There are at most two: with three gaps, the 2 comes either before or
// after the only tile.
func (s *outcome) fill(row uint16, width int, slide func(uint16) uint16) (ways int) {
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

// A filter remembers recent boards, each until another one takes its slot. It fits
// the L2 cache.
type filter [1 << filterBits]rules.Board

const filterBits = 16

// keep keeps the boards that the filter does not remember. The empty board must not be among them. The loop has
// no branch that depends on the filter's content.
func (f *filter) keep(to *boards) {
	n := 0
	for _, b := range to.at[:to.n] {
		seen := &f[uint64(b)*0x9E37_79B9_7F4A_7C15>>(64-filterBits)]
		to.at[n] = b
		if *seen != b {
			n++
		}
		*seen = b
	}
	to.n = n
}

package census

import (
	"math/bits"

	"versus2048/rules"
)

// geometry is what a census knows of a board's size.
type geometry struct {
	size         rules.Size
	across, down *[1 << 16]line // for rows as they are, and for columns
}

func newGeometry(s rules.Size) *geometry {
	g := &geometry{size: s, across: newLines(int(s.Width))}
	g.down = g.across
	if !s.Square() {
		g.down = newLines(int(s.Height))
	}
	return g
}

// boards are some boards, first n of them: all that comes of a batch of
// positions.
type boards struct {
	n  int
	at [batch * mostSuccessors]rules.Board
}

// mostSuccessors is more than a board has: two for each row and slide.
const mostSuccessors = 4 * 4 * 2

// successors adds the boards two plies later: a 2 placed, and a slide. Of those
// that a symmetry makes equal some come several times.
func (g *geometry) successors(to *boards, b rules.Board) {
	to.slide(b, g.across, int(g.size.Height))
	across := to.n
	to.slide(b.Transpose(), g.down, int(g.size.Width))
	if !g.size.Square() { // else the diagonal is a symmetry
		for i := range to.at[across:to.n] {
			to.at[across+i] = to.at[across+i].Transpose()
		}
	}
}

// slide adds what comes of placing a 2 and sliding west or east. All rows slide as
// they would without the 2, but for the one that it was placed on.
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

// place adds the boards with a 2 on the row that begins at a bit. moves is the sum
// of what the rows move without it. A board that is not legal is written, too, and
// then written over: a branch would be hard to foretell.
func (to *boards) place(slid rules.Board, row *slid, ways, moves uint8, at int) {
	rest := slid &^ (0xFFFF << (at & 63))
	others := (moves - row.moves&slides + 15) >> 4 // 1 if another row moves
	legal := ways & (row.moves | 3*others)
	n := to.n
	to.at[n%len(to.at)] = rest | rules.Board(row.placed[0])<<(at&63)
	n += int(legal & 1)
	to.at[n%len(to.at)] = rest | rules.Board(row.placed[1])<<(at&63)
	to.n = n + int(legal>>1)
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

// canonical is the representative of the boards that equal b under a symmetry,
// the one that rules.Board.Canonical chooses.
func (g *geometry) canonical(b rules.Board) rules.Board {
	if g.size != rules.Full {
		return b.Canonical(g.size)
	}
	return min(least(b), least(b.Transpose()))
}

// least is the least of a full board and its images under reflections of rows
// and columns: reversing the order of the bytes turns the board by 180 degrees,
// but for the two cells within a byte.
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

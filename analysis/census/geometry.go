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

// boards are some boards, first n of them.
type boards struct {
	n  int
	at [mostSuccessors]rules.Board
}

// mostSuccessors is more than a board has: two for each row and slide.
const mostSuccessors = 4 * 4 * 2

// successors are the canonical boards two plies later: a 2 placed, and a slide.
// Few are there twice.
func (g *geometry) successors(to *boards, b rules.Board) {
	width, height := int(g.size.Width), int(g.size.Height)
	to.n = 0
	to.west(b, g.across, height)
	to.west(mirrored(b)>>(4*(4-width)), g.across, height)
	across, columns := to.n, b.Transpose()
	to.west(columns, g.down, width)
	to.west(mirrored(columns)>>(4*(4-height)), g.down, width)
	if !g.size.Square() { // else the diagonal is a symmetry
		for i := range to.at[across:to.n] {
			to.at[across+i] = to.at[across+i].Transpose()
		}
	}
}

// west adds what comes of placing a 2 and sliding west. All rows slide as they
// would without the 2, but for the one that it was placed on. There are no
// branches here that depend on the board, as they would be hard to foretell.
func (to *boards) west(b rules.Board, lines *[1 << 16]line, height int) {
	l := [4]*line{&lines[b&0xFFFF], &lines[b>>16&0xFFFF], &lines[b>>32&0xFFFF], &lines[b>>48]}
	slid := rules.Board(l[0].slid) | rules.Board(l[1].slid)<<16 | rules.Board(l[2].slid)<<32 | rules.Board(l[3].slid)<<48
	moving := l[0].moves&slides + l[1].moves&slides + l[2].moves&slides + l[3].moves&slides
	n := to.n
	for i, row := range l[:height] {
		rest := slid &^ (0xFFFF << (16 * i))
		others := (moving - row.moves&slides + 15) >> 4 // 1 if another row moves
		legal := row.ways & (row.moves | 3*others)
		to.at[n%mostSuccessors] = rest | rules.Board(row.placed[0])<<(16*i)
		n += int(legal & 1)
		to.at[n%mostSuccessors] = rest | rules.Board(row.placed[1])<<(16*i)
		n += int(legal >> 1 & 1)
	}
	to.n = n
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

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

// appendSuccessors appends the boards two plies later: a 2 placed, and a slide.
// Some that equal each other under a symmetry are left out, and none comes
// twice from one slide.
func (g *geometry) appendSuccessors(dst []rules.Board, b rules.Board) []rules.Board {
	width, height := int(g.size.Width), int(g.size.Height)
	dst = appendWest(dst, b, g.across, height)
	dst = appendWest(dst, mirrored(b)>>(4*(4-width)), g.across, height)
	columns, n := b.Transpose(), len(dst)
	dst = appendWest(dst, columns, g.down, width)
	dst = appendWest(dst, mirrored(columns)>>(4*(4-height)), g.down, width)
	if !g.size.Square() { // else the diagonal is a symmetry
		for i := n; i < len(dst); i++ {
			dst[i] = dst[i].Transpose()
		}
	}
	return dst
}

// appendWest appends what comes of placing a 2 and sliding west. All rows slide
// as they would without the 2, but for the one that it was placed on.
func appendWest(dst []rules.Board, b rules.Board, lines *[1 << 16]line, height int) []rules.Board {
	l := [4]*line{&lines[b&0xFFFF], &lines[b>>16&0xFFFF], &lines[b>>32&0xFFFF], &lines[b>>48]}
	slid := rules.Board(l[0].slid) | rules.Board(l[1].slid)<<16 | rules.Board(l[2].slid)<<32 | rules.Board(l[3].slid)<<48
	moving := l[0].flags&slides + l[1].flags&slides + l[2].flags&slides + l[3].flags&slides
	for i, row := range l[:height] {
		rest := slid &^ (0xFFFF << (16 * i))
		legal := row.flags // by the row itself
		if moving > row.flags&slides {
			legal = legalOne | legalTwo
		}
		if row.flags&oneWay != 0 && legal&legalOne != 0 {
			dst = append(dst, rest|rules.Board(row.placed[0])<<(16*i))
		}
		if row.flags&twoWays != 0 && legal&legalTwo != 0 {
			dst = append(dst, rest|rules.Board(row.placed[1])<<(16*i))
		}
	}
	return dst
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

package rules

// Symmetry is one of the eight rotations and reflections of the board. Bit 0 mirrors about the diagonal from the top
// left corner, then bit 1 swaps left and right, then bit 2 swaps top and bottom. The zero Symmetry changes nothing.
type Symmetry uint8

const (
	diagonal  Symmetry = 1
	leftRight Symmetry = 2
	upDown    Symmetry = 4
)

// Symmetries lists the symmetries of a board of size s: eight for a square board, else four. The identity comes first.
func (s Size) Symmetries() []Symmetry {
	if s.Square() {
		return []Symmetry{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return []Symmetry{0, leftRight, upDown, leftRight | upDown}
}

// Inverse returns the symmetry that undoes y.
func (y Symmetry) Inverse() Symmetry {
	if y == diagonal|leftRight || y == diagonal|upDown {
		return y ^ (leftRight | upDown)
	}
	return y
}

// Board returns the image of a board of size s.
func (y Symmetry) Board(b Board, s Size) Board {
	if y&diagonal != 0 {
		b = b.Transpose()
	}
	if y&leftRight != 0 {
		b = b.mirrored() >> (4 * (4 - s.Width))
	}
	if y&upDown != 0 {
		b = b.flipped() >> (16 * (4 - s.Height))
	}
	return b
}

// Move returns the image of a move on a board of size s.
func (y Symmetry) Move(m Move, s Size) Move {
	if m.IsSlide() {
		return y.slide(m)
	}
	col, row := m.Cell()&3, m.Cell()>>2
	if y&diagonal != 0 {
		col, row = row, col
	}
	if y&leftRight != 0 {
		col = int(s.Width) - 1 - col
	}
	if y&upDown != 0 {
		row = int(s.Height) - 1 - row
	}
	return Place(4*row+col, m.IsFour())
}

func (y Symmetry) slide(m Move) Move {
	d := m - North // bit 0: away from the top left corner; bit 1: sideways
	if y&diagonal != 0 {
		d ^= 2
	}
	if y&leftRight != 0 && d >= 2 || y&upDown != 0 && d < 2 {
		d ^= 1
	}
	return North + d
}

// Position returns the image of a position.
func (y Symmetry) Position(p Position) Position {
	p.board = y.Board(p.board, p.size)
	if p.huge != 0 {
		var huge uint16
		for i := range 16 {
			huge |= p.huge >> i & 1 << y.Move(Place(i, false), p.size).Cell()
		}
		p.huge = huge
	}
	return p
}

// Canonical returns the representative of all boards that equal b under a symmetry: the smallest of them as a number.
func (b Board) Canonical(s Size) Board {
	i := b.Images(s)
	least := min(i[0], i[1], i[2], i[3])
	if s.Square() {
		least = min(least, i[4], i[5], i[6], i[7])
	}
	return least
}

// Images returns a board of size s and its images under its symmetries: as it is,
// mirrored left to right, top to bottom, and both. For a square board, the same four
// images of the transposed board follow; else the last four are empty.
func (b Board) Images(s Size) (images [8]Board) {
	toLeft, toTop := 4*(4-s.Width), 16*(4-s.Height) // shifts that bring a smaller board back to its part of the grid
	m := b.mirrored() >> toLeft
	images[0], images[1], images[2], images[3] = b, m, b.flipped()>>toTop, m.flipped()>>toTop
	if s.Square() {
		t := b.Transpose()
		m = t.mirrored() >> toLeft
		images[4], images[5], images[6], images[7] = t, m, t.flipped()>>toTop, m.flipped()>>toTop
	}
	return images
}

// Canonical returns the representative of all positions that equal p under a symmetry.
func (p Position) Canonical() Position {
	if p.huge == 0 {
		p.board = p.board.Canonical(p.size)
		return p
	}
	return p.CanonicalBy().Position(p)
}

// CanonicalBy returns the first of the board's Symmetries that maps p to its Canonical position.
func (p Position) CanonicalBy() Symmetry {
	best, by := p, Symmetry(0)
	for _, y := range p.size.Symmetries()[1:] {
		q := y.Position(p)
		if q.board < best.board || q.board == best.board && q.huge < best.huge {
			best, by = q, y
		}
	}
	return by
}

// mirrored reverses each row of the 4x4 grid.
func (b Board) mirrored() Board {
	b = b&0x0F0F_0F0F_0F0F_0F0F<<4 | b>>4&0x0F0F_0F0F_0F0F_0F0F
	return b&0x00FF_00FF_00FF_00FF<<8 | b>>8&0x00FF_00FF_00FF_00FF
}

// flipped reverses the order of the rows of the 4x4 grid.
func (b Board) flipped() Board {
	b = b&0x0000_FFFF_0000_FFFF<<16 | b>>16&0x0000_FFFF_0000_FFFF
	return b<<32 | b>>32
}

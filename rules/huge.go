package rules

// twoLargest tells whether two 32768s may be on the board (or one 65536, which
// shows as one of them and then needs no second). Only then can a slide make a
// tile that four bits do not hold.
func (b Board) twoLargest() bool {
	m := uint64(b) & uint64(b>>1)
	m = m & (m >> 2) & 0x1111_1111_1111_1111
	return m&(m-1) != 0
}

// slidHuge slides a board on which a 65536 stands or may arise, cell by cell.
func (p Position) slidHuge(m Move) Position {
	out := p
	out.board, out.huge = 0, 0
	for n := range 4 {
		var line [4]uint8
		for k := range line {
			if i, ok := p.size.lineCell(m, n, k); ok {
				line[k] = uint8(p.Exponent(i))
			}
		}
		for k, e := range slideLine(line, maxExponent) {
			if e == 0 {
				continue
			}
			i, _ := p.size.lineCell(m, n, k)
			out.board = out.board.With(i, min(int(e), maxNibble))
			if e == maxExponent {
				out.huge |= 1 << i
			}
		}
	}
	return out
}

// lineCell is the cell k steps from the wall towards which m slides, in its
// n-th line. It is not ok outside the board.
func (s Size) lineCell(m Move, n, k int) (cell int, ok bool) {
	x, y := n, n
	switch m {
	case North:
		y = k
	case South:
		y = int(s.Height) - 1 - k
	case West:
		x = k
	default:
		x = int(s.Width) - 1 - k
	}
	return s.cell(x+1, y+1)
}

// tileValue is 2^k, and 0 for an empty cell.
func tileValue(k int) int { return 1 << k &^ 1 }

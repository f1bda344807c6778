package census

// line is what happens to a row of cells that slides west, indexed by the row's
// 16 bits.
type line struct {
	slid   uint16    // the row after the slide
	placed [2]uint16 // the different rows after a 2 was placed on a gap and all slid, first n
	flags  uint16
}

// The flags of a line: how many different rows placing a 2 makes, 0 to 2, and
// which slides change the row.
const (
	oneWay   = 1 // placed[0] is there
	twoWays  = 2 // placed[1], too
	slides   = 4 // as it is
	legalOne = 8 // with the 2 of placed[0]
	legalTwo = 16
)

// newLines is the table for rows of so many cells, the rest of the 4 being
// outside the board. Two tiles of 32768 do not merge.
func newLines(width int) *[1 << 16]line {
	t := new([1 << 16]line)
	for row := range t {
		l := &t[row]
		l.slid = slideWest(uint16(row))
		if l.slid != uint16(row) {
			l.flags |= slides
		}
		for cell := range width {
			if row>>(4*cell)&15 == 0 {
				l.place(uint16(row) | 1<<(4*cell))
			}
		}
	}
	return t
}

// place notes a row that a 2 was placed on. Two at most are different after the
// slide: with three gaps the 2 comes before or after the one tile.
func (l *line) place(row uint16) {
	after, moved := slideWest(row), uint16(0)
	if after != row {
		moved = legalOne
	}
	switch {
	case l.flags&oneWay == 0:
		l.placed[0] = after
		l.flags |= oneWay | moved
	case l.placed[0] == after:
		l.flags |= moved
	default:
		l.placed[1] = after
		l.flags |= twoWays | moved<<1
	}
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

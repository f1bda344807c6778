package census

// line is what happens to a row of cells that slides west, indexed by the row's
// 16 bits.
type line struct {
	slid   uint16    // the row after the slide
	placed [2]uint16 // the different rows after a 2 was placed on a gap and all slid
	ways   uint8     // bit i: placed[i] is there
	moves  uint8     // bit i: placed[i] comes of a slide that changes the row; slides: so does slid
}

// slides is the bit of line.moves that tells that the row slides without a 2.
const slides = 4

// newLines is the table for rows of so many cells, the rest of the 4 being
// outside the board. Two tiles of 32768 do not merge.
func newLines(width int) *[1 << 16]line {
	t := new([1 << 16]line)
	for row := range t {
		l := &t[row]
		l.slid = slideWest(uint16(row))
		if l.slid != uint16(row) {
			l.moves = slides
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
	after, way := slideWest(row), 0
	if l.ways != 0 && l.placed[0] != after {
		way = 1
	}
	l.placed[way] = after
	l.ways |= 1 << way
	if after != row {
		l.moves |= 1 << way
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

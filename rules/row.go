package rules

// rowTables answer for every row of four cells, indexed by its 16 bits.
type rowTables struct {
	west, east *[1 << 16]uint16 // the row after a slide
	potential  *[1 << 16]uint32 // its part of Board.Potential
}

// rows is computed once and never changes.
var rows = newRowTables()

func newRowTables() rowTables {
	t := rowTables{new([1 << 16]uint16), new([1 << 16]uint16), new([1 << 16]uint32)}
	for i := range 1 << 16 {
		row := uint16(i)
		t.west[row] = packRow(slideLine(unpackRow(row), maxNibble))
		t.east[reverseRow(row)] = reverseRow(t.west[row])
		for _, k := range unpackRow(row) {
			t.potential[row] += tilePotential(int(k))
		}
	}
	return t
}

// maxNibble is the largest exponent that a Board's cell holds, maxExponent the
// largest of all: a 65536 never merges.
const (
	maxNibble   = 15
	maxExponent = 16
)

// slideLine slides four cells towards the first one. Tiles of exponent limit
// do not merge.
func slideLine(line [4]uint8, limit uint8) [4]uint8 {
	var out [4]uint8
	n, merged := 0, false
	for _, k := range line {
		switch {
		case k == 0:
		case n > 0 && !merged && out[n-1] == k && k < limit:
			out[n-1]++
			merged = true
		default:
			out[n] = k
			n++
			merged = false
		}
	}
	return out
}

// tilePotential is (k-1)*2^k, and 0 for an empty cell.
func tilePotential(k int) uint32 {
	if k == 0 {
		return 0
	}
	return uint32(k-1) << k
}

func unpackRow(r uint16) [4]uint8 {
	return [4]uint8{uint8(r & 15), uint8(r >> 4 & 15), uint8(r >> 8 & 15), uint8(r >> 12)}
}

func packRow(line [4]uint8) uint16 {
	return uint16(line[0]) | uint16(line[1])<<4 | uint16(line[2])<<8 | uint16(line[3])<<12
}

func reverseRow(r uint16) uint16 { return r<<12 | r<<4&0xF00 | r>>4&0xF0 | r>>12 }

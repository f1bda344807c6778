package ntuple

import "versus2048/rules"

// eight finds the weights of eight places of any tuples at once. At each place a weight has a number of four bytes,
// the lowest first. For each of these bytes, low has the cell of the board that becomes its low half, and high the
// cell that becomes its high half. Cells are numbered along the rows; the value beyond means no cell.
type eight struct {
	low, high [4 * width]byte
	first     [width]uint32 // the index of the first weight of each place's tuple, which is added to the number
}

// width is the number of places in an eight.
const width = 8

// beyond is the byte for no cell: shuffles replace it by 0.
const beyond = 0x80

// newEights returns the eights of places that read images of the board. The last eight is filled up with places
// that select the first weight of all tuples.
func newEights(readings []reading, s rules.Size) (eights []eight) {
	for i, r := range readings {
		if i%width == 0 {
			eights = append(eights, emptyEight())
		}
		eights[i/width].set(i%width, r.tuple, r.image, s)
	}
	return eights
}

func emptyEight() (e eight) {
	for i := range e.low {
		e.low[i], e.high[i] = beyond, beyond
	}
	return e
}

// set sets a place to a tuple on an image of boards of size s.
func (e *eight) set(place int, t *tuple, image int, s rules.Size) {
	e.first[place] = t.first
	for digit, cell := range t.cells {
		halves := &e.low
		if digit%2 == 1 {
			halves = &e.high
		}
		halves[4*place+digit/2] = source(cell, image, s)
	}
}

// source returns the cell of a board of size s that is at a cell of one of its images.
func source(cell, image int, s rules.Size) byte {
	for from := range 16 {
		inside := from&3 < int(s.Width) && from>>2 < int(s.Height)
		if inside && rules.Board(0).With(from, 1).Images(s)[image].Exponent(cell) != 0 {
			return byte(from)
		}
	}
	panic("an image has all cells of the board")
}

// vectors adds up the weights of a board with a vector for eight places. This is faster than any code that
// looks at one place after the other.
type vectors struct {
	eights  []eight
	weights []byte // of all tuples of a stage
	spare   int32  // the sum of the weights at the places that fill up the last eight
}

// newVectors returns the vectors for a stage's weights of all tuples in their order, or nil if the processor does not
// have AVX2.
func newVectors(f *Features, weights []byte) *vectors {
	if f.eights == nil {
		return nil
	}
	spare := len(f.eights)*width - f.count
	return &vectors{f.eights, weights, int32(spare) * weightAt(weights, 0)}
}

// sum adds up the weights that a board selects.
func (v *vectors) sum(b rules.Board) int32 {
	return sumAVX2(uint64(b), &v.eights[0], len(v.eights), &v.weights[0]) - v.spare
}

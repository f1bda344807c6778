package ntuple

import (
	"slices"

	"versus2048/rules"
)

// Features finds the weights that a board selects: one for each tuple and each symmetry of the board.
type Features struct {
	size   rules.Size
	images int // 8 on a square board, else 4
	tuples []tuple
}

// tuple finds the weight that a board selects among those of a tuple. The tiles in the tuple's cells are
// the digits of its number, the first cell's the lowest. Neighbouring cells move together: in all named
// structures two or three moves take all cells.
type tuple struct {
	first   uint32 // among the weights of all tuples
	weights uint32
	pieces  [2]piece
	rest    []piece
}

// piece moves the bits of some cells of a board down to their place in the number.
type piece struct {
	shift uint
	mask  rules.Board // after the move
}

// NewFeatures returns the features of a structure, which must be valid.
func NewFeatures(s Structure) *Features {
	f := &Features{size: s.Size, images: len(s.Size.Symmetries())}
	first := 0
	for _, cells := range s.Tuples {
		t := newTuple(cells)
		t.first = uint32(first)
		first += tupleWeights(cells)
		f.tuples = append(f.tuples, t)
	}
	return f
}

func newTuple(cells []int) tuple {
	var pieces []piece
	for i, cell := range cells {
		p := piece{uint(4 * (cell - i)), (exponents - 1) << (4 * i)}
		if last := len(pieces) - 1; last >= 0 && pieces[last].shift == p.shift {
			pieces[last].mask |= p.mask
			continue
		}
		pieces = append(pieces, p)
	}
	t := tuple{weights: uint32(tupleWeights(cells))}
	t.rest = pieces[copy(t.pieces[:], pieces):]
	return t
}

// number returns which of the tuple's weights an image of a board selects.
func (t *tuple) number(b rules.Board) uint32 {
	n := b>>(t.pieces[0].shift&63)&t.pieces[0].mask | b>>(t.pieces[1].shift&63)&t.pieces[1].mask
	for _, p := range t.rest {
		n |= b >> (p.shift & 63) & p.mask
	}
	return uint32(n)
}

// Count returns how many weights a board selects. Some may be the same.
func (f *Features) Count() int { return f.images * len(f.tuples) }

// Append appends to dst the numbers of the weights that the board selects, among the weights of all
// tuples in their order.
func (f *Features) Append(dst []uint32, b rules.Board) []uint32 {
	images := b.Images(f.size)
	dst = slices.Grow(dst, f.Count())
	for i := range f.tuples {
		t := &f.tuples[i]
		for _, image := range images[:f.images] {
			dst = append(dst, t.first+t.number(image))
		}
	}
	return dst
}

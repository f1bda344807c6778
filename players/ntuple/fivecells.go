package ntuple

import (
	"slices"

	"versus2048/rules"
)

// fiveCells evaluates networks of the structure 4x5 of 4x4 boards, four times as fast as one whose cells
// are only known when it runs: searches that look at hundreds of thousands of boards a second need it.
type fiveCells [4]*[weightBytes << 20]byte

// newFiveCells returns the evaluation of a network's tables, or nil if it is of another structure.
func newFiveCells(s Structure, tables [][]byte) *fiveCells {
	drawn := [][]int{{0, 1, 2, 3, 4}, {4, 5, 6, 7, 8}, {0, 1, 2, 4, 5}, {1, 2, 5, 6, 9}}
	if s.Size != rules.Full || !slices.EqualFunc(s.Tuples, drawn, slices.Equal) {
		return nil
	}
	e := new(fiveCells)
	for i, table := range tables {
		e[i] = (*[weightBytes << 20]byte)(table)
	}
	return e
}

// sum adds up the weights of a board at all places, which are the images of the board: none of these
// tuples is its own mirror image.
func (e *fiveCells) sum(b rules.Board) (sum int32) {
	images := b.Images(rules.Full)
	for _, b := range images {
		sum += e.weight(0, b) +
			e.weight(1, b>>16) +
			e.weight(2, b&0xFFF|b>>4&0xFF000) +
			e.weight(3, b>>4&0xFF|b>>12&0xFF00|b>>20&0xF0000)
	}
	return sum
}

// weight returns the weight of the contents of a tuple's cells, which are the low 20 bits.
func (e *fiveCells) weight(tuple int, contents rules.Board) int32 {
	i := contents << 1 & (weightBytes<<20 - 2)
	return int32(int16(uint16(e[tuple][i]) | uint16(e[tuple][i+1])<<8))
}

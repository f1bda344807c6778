package ntuple

import (
	"slices"

	"versus2048/rules"
)

// fixedStructure evaluates networks of a structure that is known when the program is compiled. This is several
// times faster than the evaluation for any structure. Searches that look at hundreds of thousands of boards a
// second need it on processors without vectors.
type fixedStructure interface {
	sum(b rules.Board) int32
}

// newFixedStructure returns the evaluation of a stage's tables. It is nil for all structures but 4x5 and 4x6 of 4x4
// boards.
func newFixedStructure(s Structure, f *Features, tables [][]byte) fixedStructure {
	switch {
	case s.Size != rules.Full:
		return nil
	case slices.EqualFunc(s.Tuples, [][]int{{0, 1, 2, 3, 4}, {4, 5, 6, 7, 8}, {0, 1, 2, 4, 5}, {1, 2, 5, 6, 9}}, slices.Equal):
		return newFiveCells(tables)
	case slices.EqualFunc(s.Tuples, [][]int{{0, 1, 2, 3, 4, 5}, {4, 5, 6, 7, 8, 9}, {0, 1, 2, 4, 5, 6}, {4, 5, 6, 8, 9, 10}}, slices.Equal):
		return newSixCells(f, tables)
	}
	return nil
}

// fiveCells evaluates the structure 4x5 of 4x4 boards.
type fiveCells [4]*[weightBytes << 20]byte

func newFiveCells(tables [][]byte) *fiveCells {
	e := new(fiveCells)
	for i, table := range tables {
		e[i] = (*[weightBytes << 20]byte)(table)
	}
	return e
}

// sum adds up the weights of a board at all places. The places are the images of the board, since none of these
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

// weight returns the weight of the contents of a tuple's cells. The contents are the low 20 bits.
func (e *fiveCells) weight(tuple int, contents rules.Board) int32 {
	i := contents << 1 & (weightBytes<<20 - 2)
	return int32(int16(uint16(e[tuple][i]) | uint16(e[tuple][i+1])<<8))
}

// sixCells evaluates the structure 4x6 of 4x4 boards.
type sixCells struct {
	tables [4]*[weightBytes << 24]byte
	middle []uint8 // the images at the places of the last tuple, which is its own mirror image
}

func newSixCells(f *Features, tables [][]byte) *sixCells {
	e := &sixCells{middle: f.tuples[3].images}
	for i, table := range tables {
		e.tables[i] = (*[weightBytes << 24]byte)(table)
	}
	return e
}

// sum adds up the weights of a board at all places.
func (e *sixCells) sum(b rules.Board) (sum int32) {
	images := b.Images(rules.Full)
	for _, b := range images {
		sum += e.weight(0, b) +
			e.weight(1, b>>16) +
			e.weight(2, b&0xFFF|b>>4&0xFFF000)
	}
	for _, image := range e.middle {
		b := images[image&7] >> 16
		sum += e.weight(3, b&0xFFF|b>>4&0xFFF000)
	}
	return sum
}

// weight returns the weight of the contents of a tuple's cells. The contents are the low 24 bits.
func (e *sixCells) weight(tuple int, contents rules.Board) int32 {
	i := contents << 1 & (weightBytes<<24 - 2)
	return int32(int16(uint16(e.tables[tuple][i]) | uint16(e.tables[tuple][i+1])<<8))
}

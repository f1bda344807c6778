//go:build goexperiment.simd && amd64

package players

import "simd/archsimd"

// permutation has, for each byte, the byte of its group that comes there, or
// -1 where a 0 comes. They are all computed once and never change.
type permutation [64]int8

func permute(v vector, by *permutation) vector {
	return v.PermuteOrZeroGrouped(archsimd.LoadInt8x64((*[64]int8)(by)))
}

// From which cells those of a board come.
var (
	transposed = byCell(func(row, column int) int8 { return cell(column, row) })
	mirrored   = byCell(func(row, column int) int8 { return cell(row, 3-column) })
	fromEast   = byCell(func(row, column int) int8 { return cell(row, column+1) })
	fromWest   = byCell(func(row, column int) int8 { return cell(row, column-1) })
	fromSouth  = byCell(func(row, column int) int8 { return cell(row+1, column) })
)

// These spread a column over all cells east of it.
var column0, column1, column2 = overEast(0), overEast(1), overEast(2)

func overEast(from int) permutation {
	return byCell(func(row, column int) int8 {
		if column < from {
			return -1
		}
		return cell(row, from)
	})
}

// These spread, of 8 bytes that are everywhere the same, one over each group.
var (
	lowerHalf = byByte(func(group, _ int) int8 { return int8(group) })
	upperHalf = byByte(func(group, _ int) int8 { return int8(group + 4) })
)

// byCell is a permutation of all boards' cells.
func byCell(from func(row, column int) int8) permutation {
	return byByte(func(_, i int) int8 { return from(i%8/2, i%2*2+i/8) })
}

// cell is the byte that is a cell, -1 beyond the board. First come the cells in
// even columns.
func cell(row, column int) int8 {
	if row > 3 || column < 0 || column > 3 {
		return -1
	}
	return int8(row*2 + column/2 + column%2*8)
}

func byByte(from func(group, i int) int8) (p permutation) {
	for i := range p {
		p[i] = from(i/16, i%16)
	}
	return p
}

package check

// This file has the boards of one size, with their lines and symmetries.
//
// A code is a board as a number: 4 bits for each cell, row by row, the first cell in the lowest bits. The 4 bits are
// the exponent of the cell's tile, or 0 for an empty cell.

import (
	"fmt"
	"math/bits"
	"strings"
)

// A size has the permutations of cells that depend on the size of the board.
type size struct {
	width, height, cells int
	// walk leads through all symmetries: its permutations, each applied to the result of the one before, give all
	// other images of a board.
	walk   []permutation
	twos   [16][8]uint64 // by cell: the images of the board with a 2 on this cell alone
	slides [4]turn       // to the north, south, west and east
}

// A turn turns a board so that one of the four slides becomes a slide along rows, to their first cells.
type turn struct {
	there, back  permutation
	rows, length int // the turned board's number of rows, and their length
}

// A permutation moves the cells of a code. Each part moves some cells by the same number of bits.
type permutation []struct {
	cells uint64
	by    int
}

func newSize(width, height int) size {
	s := size{width: width, height: height, cells: width * height}
	mirror := s.permutation(func(x, y int) int { return y*width + width - 1 - x })
	flip := s.permutation(func(x, y int) int { return (height-1-y)*width + x })
	transpose := s.permutation(func(x, y int) int { return x*height + y })
	s.walk = []permutation{mirror, flip, mirror}
	if width == height {
		s.walk = append(s.walk, transpose, mirror, flip, mirror)
	}
	s.slides = [4]turn{
		{there: transpose, rows: width, length: height},
		{there: s.permutation(func(x, y int) int { return x*height + height - 1 - y }), rows: width, length: height},
		{there: s.permutation(func(x, y int) int { return y*width + x }), rows: height, length: width},
		{there: mirror, rows: height, length: width},
	}
	for cell := range s.cells {
		s.twos[cell] = s.images(1 << (4 * cell))
	}
	for i := range s.slides {
		s.slides[i].back = s.slides[i].there.inverse()
	}
	return s
}

// permutation returns the permutation that moves the tile of column x and row y to the cell to(x, y).
func (s *size) permutation(to func(x, y int) int) (p permutation) {
	for by := -15; by <= 15; by++ {
		cells := uint64(0)
		for cell := range s.cells {
			if to(cell%s.width, cell/s.width) == cell+by {
				cells |= 15 << (4 * cell)
			}
		}
		if cells != 0 {
			p = append(p, struct {
				cells uint64
				by    int
			}{cells, 4 * by})
		}
	}
	return p
}

func (p permutation) of(code uint64) (moved uint64) {
	for _, part := range p {
		moved |= bits.RotateLeft64(code&part.cells, part.by)
	}
	return moved
}

func (p permutation) inverse() permutation {
	inverse := make(permutation, len(p))
	for i, part := range p {
		inverse[i].cells, inverse[i].by = bits.RotateLeft64(part.cells, part.by), -part.by
	}
	return inverse
}

// row returns a row of a turned board.
func (t *turn) row(code uint64, row int) uint64 {
	return code >> (4 * t.length * row) & (1<<(4*t.length) - 1)
}

// image turns a board back. On a square it returns the turned board, which is an image of the board.
func (s *size) image(t *turn, code uint64) uint64 {
	if s.width == s.height {
		return code
	}
	return t.back.of(code)
}

// smallest returns the smallest code of a board's mirror images and, on a square, rotations.
func (s *size) smallest(code uint64) uint64 {
	least := code
	for _, p := range s.walk {
		code = p.of(code)
		least = min(least, code)
	}
	return least
}

// images returns a board, and then its other images in the order of walk. If the board is not square, only the first
// four are set.
func (s *size) images(code uint64) (all [8]uint64) {
	all[0] = code
	for i, p := range s.walk {
		code = p.of(code)
		all[i+1] = code
	}
	return all
}

// isPosition reports whether a code is a board of this size with an empty cell, and the smallest of its images.
func (s *size) isPosition(code uint64) bool {
	return s.hasEmpty(code) && code>>(4*s.cells-4)>>4 == 0 && s.smallest(code) == code
}

// hasEmpty reports whether a board has an empty cell.
func (s *size) hasEmpty(code uint64) bool {
	tiles := code | code>>1
	tiles |= tiles >> 2 // the lowest bit of a cell is set if the cell has a tile
	return ^tiles&(0x1111_1111_1111_1111>>(64-4*s.cells)) != 0
}

// show writes a board as the project's programs do: 0,2/0,4.
func (s *size) show(code uint64) string {
	var text strings.Builder
	for cell := range s.cells {
		switch {
		case cell > 0 && cell%s.width == 0:
			text.WriteByte('/')
		case cell > 0:
			text.WriteByte(',')
		}
		fmt.Fprint(&text, 1<<(code>>(4*cell)&15)&^1)
	}
	return text.String()
}

package tidy

import "versus2048/rules"

// The order of tidy boards covers at most orderedTiles of the largest tiles, and no tile below leastExponent.
const (
	orderedTiles  = 4
	leastExponent = 4
)

// order has the cells where the largest tiles of tidy boards may be.
type order struct {
	corners uint64     // bit 4i for cell i
	beside  [16]uint64 // for each cell, the cells beside it
}

func newOrder(s rules.Size) (o order) {
	w, h := int(s.Width), int(s.Height)
	bit := func(x, y int) uint64 {
		if x < 0 || x >= w || y < 0 || y >= h {
			return 0
		}
		return 1 << (4 * (4*y + x))
	}
	o.corners = bit(0, 0) | bit(w-1, 0) | bit(0, h-1) | bit(w-1, h-1)
	for y := range h {
		for x := range w {
			o.beside[4*y+x] = bit(x-1, y) | bit(x+1, y) | bit(x, y-1) | bit(x, y+1)
		}
	}
	return o
}

// tidy reports whether a board is tidy.
func (o *order) tidy(b rules.Board) bool {
	var cells [16]int  // by exponent: the cell of the tile, the last one if there are several
	var number [16]int // by exponent: the number of tiles
	for cell := range 16 {
		k := b.Exponent(cell)
		cells[k] = cell
		number[k]++
	}
	allowed, found := o.corners, 0
	for k := 15; k >= leastExponent && found < orderedTiles; k-- {
		if number[k] == 0 {
			continue
		}
		if number[k] > 1 {
			break
		}
		if allowed>>(4*cells[k])&1 == 0 {
			return false
		}
		if found++; found == 1 {
			allowed = 0
		}
		allowed |= o.beside[cells[k]]
	}
	return true
}

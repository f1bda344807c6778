package sweep

import "versus2048/rules"

// unit divides all scores. Gains are counted in units.
const unit = 4

// bitsOfCell is the number of bits for the exponent of a tile: tiles up to 128.
const bitsOfCell = 3

// A geometry has the tables that depend on the rules, the size and the ceiling.
type geometry struct {
	rules       rules.Ruleset
	size        rules.Size // lying down: no higher than wide
	ceiling     int        // in units
	left, right *half
	west, east  [][]rowShift // by row, and by the exponents in the row
}

// A rowShift is the result of sliding one row: its part of both halves, and its gain.
type rowShift struct {
	left, right code
	gain        uint16 // in units; reached if the row's tiles after the slide are worth the ceiling or more
}

func newGeometry(r rules.Ruleset, s rules.Size, ceiling int) *geometry {
	g := &geometry{rules: r, size: lyingDown(s), ceiling: ceiling}
	width := int(g.size.Width)
	g.left, g.right = newHalf(g, 0, width/2), newHalf(g, width/2, width-width/2)
	for y := range int(g.size.Height) {
		g.west = append(g.west, g.rowShifts(y, rules.West))
		g.east = append(g.east, g.rowShifts(y, rules.East))
	}
	return g
}

// lyingDown returns the size turned so that it is no higher than wide.
func lyingDown(s rules.Size) rules.Size {
	return rules.Size{Width: max(s.Width, s.Height), Height: min(s.Width, s.Height)}
}

// rowShifts returns the results of a slide for all contents of row y.
func (g *geometry) rowShifts(y int, m rules.Move) []rowShift {
	width := int(g.size.Width)
	all := make([]rowShift, 1<<(bitsOfCell*width))
	for row := range all {
		var b rules.Board
		for x := range width {
			b = b.With(4*y+x, int(cellOf(code(row), x))) // #nosec G115 -- 12 bits
		}
		after := b.Slide(g.size, m)
		if g.worthOf(after) >= g.ceiling {
			all[row].gain = reached
			continue
		}
		gain := uint16((after.Potential() - b.Potential()) / unit) // #nosec G115 -- below the ceiling
		all[row] = rowShift{g.left.code(after), g.right.code(after), gain}
	}
	return all
}

// top returns the largest sum that has a board below the ceiling.
func (g *geometry) top() int {
	sum := 2 * (len(g.left.bySum) + len(g.right.bySum) - 2)
	for !g.hasBoard(sum) {
		sum -= 2
	}
	return sum
}

// hasBoard reports whether a sum has a board below the ceiling.
func (g *geometry) hasBoard(sum int) bool {
	for i, left := range g.left.cheapest {
		rest := sum/2 - i
		if rest >= 0 && rest < len(g.right.cheapest) && left+g.right.cheapest[rest] < g.ceiling {
			return true
		}
	}
	return false
}

// worthOf returns the least score of the defender that can have led to the tiles of a board, in units. A tile of 2^k
// that was made of 2s has scored (k-1)*2^k points, and one that was made of 4s has scored (k-2)*2^k.
func (g *geometry) worthOf(b rules.Board) int {
	points := 0
	for ; b != 0; b >>= 4 {
		k := b.Exponent(0)
		switch {
		case k < 2:
		case g.rules.Fours():
			points += (k - 2) << k
		default:
			points += (k - 1) << k
		}
	}
	return points / unit
}

// An answer is the result of a slide: a board and the gain, in units.
type answer struct {
	left, right code
	gain        int // reached or more: the defender is at the ceiling
}

// slides calls visit for every slide that changes a board.
func (g *geometry) slides(left, right code, visit func(answer)) {
	for _, column := range [2][2]*shift{
		{&g.left.north[left], &g.right.north[right]},
		{&g.left.south[left], &g.right.south[right]},
	} {
		a := answer{column[0].code, column[1].code, int(column[0].gain) + int(column[1].gain)}
		if a.gain > 0 || a.left != left || a.right != right {
			visit(a)
		}
	}
	rows := g.left.rows[left] | g.right.rows[right]
	for _, shifts := range [2][][]rowShift{g.west, g.east} {
		a := answer{}
		for y := range shifts {
			row := &shifts[y][rows>>(bitsOfCell*y*int(g.size.Width))&(1<<(bitsOfCell*g.size.Width)-1)]
			a.left |= row.left
			a.right |= row.right
			a.gain += int(row.gain)
		}
		if a.gain > 0 || a.left != left || a.right != right {
			visit(a)
		}
	}
}

// images returns the images of a board by turning it upside down and by mirroring it, but not by transposing it. An
// image may come twice. If the number of columns is odd, images only turns the board upside down.
func (g *geometry) images(left, right code) (all [3][2]code, n int) {
	l, r := g.left.flipped[left], g.right.flipped[right]
	all[0] = [2]code{l, r}
	if g.left.columns != g.right.columns {
		return all, 1
	}
	all[1] = [2]code{g.right.mirror[right], g.left.mirror[left]}
	all[2] = [2]code{g.right.mirror[r], g.left.mirror[l]}
	return all, 3
}

// split returns the halves of a board of size s. The geometry has this size, or the transposed one.
func (g *geometry) split(b rules.Board, s rules.Size) (left, right code) {
	if s != g.size {
		b = b.Transpose()
	}
	return g.left.code(b), g.right.code(b)
}

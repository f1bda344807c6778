package players

import (
	"math/bits"

	"versus2048/rules"
)

// playoutByBoards returns the last board and how many 4s were placed. It is
// fast, and right as long as two 32768s are never on the board.
func playoutByBoards(p rules.Position, g *generator) (last rules.Board, fours int) {
	b, size, ruleset := p.Board(), p.Size(), p.Rules()
	if p.SideToMove() == rules.Defender {
		next := slideAnyway(b, size, g)
		if next == b {
			return b, 0
		}
		b = next
	}
	for {
		cell, four := drawPlacement(b.Empty(size), ruleset, g)
		exponent := 1
		if four {
			exponent = 2
			fours++
		}
		b = b.With(cell, exponent)
		next := slideAnyway(b, size, g)
		if next == b {
			return b, fours
		}
		b = next
	}
}

// drawPlacement draws from the empty cells, of which there must be one, and
// the tiles to place.
func drawPlacement(empty uint64, r rules.Ruleset, g *generator) (cell int, four bool) {
	cell = nthCell(empty, g.below(bits.OnesCount64(empty)))
	switch r {
	case rules.GPCC2016:
		four = g.below(2) == 0
	case rules.Solo:
		four = g.below(10) == 0
	}
	return cell, four
}

// nthCell is the n-th, from 0, of the cells whose lowest bit is set in cells.
func nthCell(cells uint64, n int) int { return bits.TrailingZeros64(nthBit(cells, n)) / 4 }

// nthBit is the bit of that cell, 0 if there are not so many. It works on all
// 16 cells at once, since a loop's end can't be predicted.
func nthBit(cells uint64, n int) uint64 {
	const ones = 0x1111_1111_1111_1111
	counts := cells * ones // in each cell, how many are set up to it, modulo 16
	differ := counts ^ uint64(n+1)&15*ones
	equal := (differ - ones) &^ differ & (ones << 3) // right up to the first
	return equal & -equal >> 3
}

// slideAnyway slides b by a move drawn uniformly from the legal ones: the
// first that moves anything, of all four in random order. Without one it
// returns b.
func slideAnyway(b rules.Board, s rules.Size, g *generator) rules.Board {
	for _, m := range slideOrders[g.below(len(slideOrders))] {
		if next := b.Slide(s, m); next != b {
			return next
		}
	}
	return b
}

// slideOrders are the orders of the four slides.
var slideOrders = newSlideOrders()

func newSlideOrders() (orders [24][4]rules.Move) {
	n := 0
	for code := range 4 * 4 * 4 * 4 {
		a, b, c, d := code&3, code>>2&3, code>>4&3, code>>6
		if 1<<a|1<<b|1<<c|1<<d == 15 {
			orders[n] = [4]rules.Move{
				rules.North + rules.Move(a), rules.North + rules.Move(b),
				rules.North + rules.Move(c), rules.North + rules.Move(d),
			}
			n++
		}
	}
	return orders
}

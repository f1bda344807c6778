package players

import (
	"math/bits"

	"versus2048/rules"
)

// playout plays on from p to the game's end, both sides drawing uniformly from
// their legal moves (where chance places, as chance does), and returns the
// final score.
func playout(p rules.Position, g *generator) int {
	fork := *g
	b, fours := playoutByBoards(p, g)
	if countLargest(b) > 1 {
		// A board neither merges two of them nor tells them from a 65536: play
		// the same game again. One alone stays what it was.
		return playoutByPositions(p, &fork)
	}
	placed := p.Score() - p.Board().Potential()
	return b.Potential() + placed - 4*fours
}

// countLargest counts the 32768s.
func countLargest(b rules.Board) int {
	m := b & (b >> 1)
	return bits.OnesCount64(uint64(m & (m >> 2) & 0x1111_1111_1111_1111))
}

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
// It works on all 16 cells at once, since a loop's end can't be predicted.
func nthCell(cells uint64, n int) int {
	const ones = 0x1111_1111_1111_1111
	counts := cells * ones // in each cell, how many are set up to it, modulo 16
	differ := counts ^ uint64(n+1)&15*ones
	equal := (differ - ones) &^ differ & (ones << 3) // right up to the first
	return bits.TrailingZeros64(equal) / 4
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

// playoutByPositions is playout for any tiles. The same generator draws the
// same game as in playoutByBoards.
func playoutByPositions(p rules.Position, g *generator) int {
	for {
		if p.SideToMove() == rules.Attacker {
			p = p.Next(rules.Place(drawPlacement(p.Board().Empty(p.Size()), p.Rules(), g)))
		}
		next := p
		for _, m := range slideOrders[g.below(len(slideOrders))] {
			if next = p.Next(m); next.Board() != p.Board() {
				break
			}
		}
		if next.Board() == p.Board() {
			return p.Score()
		}
		p = next
	}
}

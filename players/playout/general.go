package playout

import (
	"math/bits"

	"versus2048/rules"
)

// playAny is Play for any rules and any board size.
func playAny(p rules.Position, g *Generator) int {
	fork := *g
	b, fours := playByBoards(p, g)
	if countLargest(b) > 1 {
		// A Board does not merge two 32768s, and one of them may stand for a 65536, so the same game is played
		// again with positions. A single 32768 never merges, so the score is right without this.
		return playByPositions(p, &fork)
	}
	placed := p.Score() - p.Board().Potential()
	return b.Potential() + placed - 4*fours
}

// countLargest counts the 32768s.
func countLargest(b rules.Board) int {
	m := b & (b >> 1)
	return bits.OnesCount64(uint64(m & (m >> 2) & 0x1111_1111_1111_1111))
}

// playByBoards plays to the end and returns the last board and the number of placed 4s. It is fast, but right only
// if there are never two 32768s on the board.
func playByBoards(p rules.Position, g *Generator) (last rules.Board, fours int) {
	b, size, ruleset := p.Board(), p.Size(), p.Rules()
	if p.SideToMove() == rules.Defender {
		next := slideRandomly(b, size, g)
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
		next := slideRandomly(b, size, g)
		if next == b {
			return b, fours
		}
		b = next
	}
}

// playByPositions is playAny for any tiles. With the same generator it plays the same game as playByBoards.
func playByPositions(p rules.Position, g *Generator) int {
	for {
		if p.SideToMove() == rules.Attacker {
			p = p.Next(rules.Place(drawPlacement(p.Board().Empty(p.Size()), p.Rules(), g)))
		}
		next := p
		for _, m := range slideOrders[g.Below(len(slideOrders))] {
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

// drawPlacement draws one of the empty cells and a tile for it. There must be at least one empty cell.
func drawPlacement(empty uint64, r rules.Ruleset, g *Generator) (cell int, four bool) {
	cell = nthCell(empty, g.Below(bits.OnesCount64(empty)))
	switch r {
	case rules.GPCC2016:
		four = g.Below(2) == 0
	case rules.Solo:
		four = g.Below(10) == 0
	}
	return cell, four
}

// ChanceWeight returns the relative frequency of a move drawn by chance: a 2 is drawn nine times as often as a
// 4 on the same cell.
func ChanceWeight(r rules.Ruleset, m rules.Move) int {
	if r.Fours() && !m.IsSlide() && !m.IsFour() {
		return 9
	}
	return 1
}

// nthCell returns the index of the n-th of the cells, from 0. cells is a mask, like the result of
// rules.Board.Empty.
func nthCell(cells uint64, n int) int { return bits.TrailingZeros64(nthBit(cells, n)) / 4 }

// nthBit returns the bit of the n-th of the cells, from 0 to 15. If there are too few and n is below 15, it returns 0.
// It works on all 16 cells at once, since the processor cannot predict the end of a loop.
func nthBit(cells uint64, n int) uint64 {
	const ones = 0x1111_1111_1111_1111
	counts := cells * ones // in each cell, the number of set bits up to it, modulo 16
	differ := counts ^ uint64(n+1)&15*ones
	equal := (differ - ones) &^ differ & (ones << 3) // right up to the first equal cell
	return equal & -equal >> 3
}

// slideRandomly slides b by a move drawn uniformly from the legal moves. It tries all four in random order and
// takes the first that moves anything. It returns b if none is legal.
func slideRandomly(b rules.Board, s rules.Size, g *Generator) rules.Board {
	for _, m := range slideOrders[g.Below(len(slideOrders))] {
		if next := b.Slide(s, m); next != b {
			return next
		}
	}
	return b
}

// slideOrders has the 24 orders of the four slides.
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

package playout

import (
	"math/bits"

	"versus2048/rules"
)

// fullGame is a random game on the 4x4 board with placements of 2s only. The board may have been turned or
// mirrored, which makes no difference to a random game. No branch of the code depends on random numbers, because
// the processor could not predict such a branch.
type fullGame struct {
	board rules.Board
	moved uint64 // all bits set if a placement is next, none if a slide is next
}

// toMove returns the value of fullGame.moved for a game that begins at p.
func toMove(p rules.Position) uint64 {
	if p.SideToMove() == rules.Attacker {
		return ^uint64(0)
	}
	return 0
}

// playFull plays to the end of the game and returns the last board.
func playFull(t fullGame, g *Generator) rules.Board {
	for {
		empty := emptyCells(t.board)
		if empty == 0 && stuck(t.board) {
			return t.board
		}
		t = t.draw(empty, g.Next())
	}
}

// playTwoFull plays two games at once, each with its own generator. While one game waits for a table look-up,
// the processor works on the other.
func playTwoFull(a, b fullGame, forA, forB *Generator) (lastA, lastB rules.Board) {
	for {
		emptyA, emptyB := emptyCells(a.board), emptyCells(b.board)
		if emptyA == 0 && stuck(a.board) {
			return a.board, playFull(b, forB)
		}
		if emptyB == 0 && stuck(b.board) {
			return playFull(a, forA), b.board
		}
		a, b = a.draw(emptyA, forA.Next()), b.draw(emptyB, forB.Next())
	}
}

// draw places a 2 on a cell drawn uniformly, if a placement is next, and then makes one of the four slides. If
// the slide moves nothing, the next call draws another slide, so all legal slides are equally likely.
func (t fullGame) draw(empty, random uint64) fullGame {
	b := t.board
	n := random & 0xFFFF_FFFF * uint64(bits.OnesCount64(empty)) >> 32
	b |= rules.Board(nthBit(empty, int(n)) & t.moved)
	b ^= (b ^ b.Transpose()) & -rules.Board(random>>63)
	slid := slideRows(b, random>>62&1)
	changed := uint64(slid ^ b)
	return fullGame{slid, uint64(int64(changed|-changed) >> 63)}
}

// emptyCells is Board.Empty of a 4x4 board.
func emptyCells(b rules.Board) uint64 {
	z := uint64(b | b>>1)
	return ^(z | z>>2) & 0x1111_1111_1111_1111
}

// stuck reports whether no slide is legal on a full board.
func stuck(b rules.Board) bool {
	across := b.Transpose()
	return slideRows(b, 0) == b && slideRows(across, 0) == across
}

// slideRows slides all rows west (0) or east (1).
func slideRows(b rules.Board, east uint64) rules.Board {
	t := rules.Board(east << 16)
	return rules.Board(rowSlides[b&0xFFFF|t]) | rules.Board(rowSlides[b>>16&0xFFFF|t])<<16 |
		rules.Board(rowSlides[b>>32&0xFFFF|t])<<32 | rules.Board(rowSlides[b>>48|t])<<48
}

// rowSlides has each row after a slide west and, from 1<<16 on, east. Both share one table, so that the choice
// between them takes no branch. The table is computed once and never changes.
var rowSlides = newRowSlides()

func newRowSlides() *[2 << 16]uint16 {
	var t [2 << 16]uint16
	for i := range rules.Board(1 << 16) {
		t[i] = uint16(i.Slide(rules.Full, rules.West))
		t[i|1<<16] = uint16(i.Slide(rules.Full, rules.East))
	}
	return &t
}

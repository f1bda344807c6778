package rules

import (
	"fmt"
	"math/bits"
)

// Position holds everything that determines how a game continues: the board, the side to move, the ply and the
// score, together with the rule set and the board size. It is a small value, safe to copy and compare: equal
// positions of one game are ==. The zero Position is not valid; start with NewPosition or PositionFrom.
type Position struct {
	board  Board
	offset int32  // score minus the board's potential: -4 for each placed 4
	ply    uint32 // plies played before this one
	huge   uint16 // cells that hold a 65536; the board shows them as 32768
	size   Size
	rules  Ruleset
	side   Side
}

// NewPosition returns the empty board with the attacker to move. The size must be one of Sizes.
func NewPosition(r Ruleset, s Size) Position { return Position{rules: r, size: s} }

// Rules returns the rule set of the game.
func (p Position) Rules() Ruleset { return p.rules }

// Size returns the size of the board.
func (p Position) Size() Size { return p.size }

// Board returns the board. A 65536 shows as a 32768 there; see HasHuge.
func (p Position) Board() Board { return p.board }

// HasHuge reports whether there is a 65536, which Board cannot show.
func (p Position) HasHuge() bool { return p.huge != 0 }

// SideToMove returns the side that moves next.
func (p Position) SideToMove() Side { return p.side }

// Ply returns the number of plies played before this position.
func (p Position) Ply() int { return int(p.ply) }

// Score returns the defender's score: the sum of all merged tiles.
func (p Position) Score() int {
	score := p.board.Potential() + int(p.offset)
	if p.huge != 0 {
		for i := range 16 {
			if p.huge>>i&1 == 1 {
				score += int(tilePotential(maxExponent) - tilePotential(maxNibble))
			}
		}
	}
	return score
}

// Sum returns the sum of all tiles on the board.
func (p Position) Sum() int {
	return p.board.Sum() + bits.OnesCount16(p.huge)*(tileValue(maxExponent)-tileValue(maxNibble))
}

// Exponent returns the exponent of the tile in cell i of the 4x4 grid, 1 to 16, or 0 if the cell is empty.
func (p Position) Exponent(i int) int { return p.board.Exponent(i) + int(p.huge>>i&1) }

// Tile returns the value of the tile at column x, row y, both from 1. It is 0 for
// an empty cell and for one outside the board.
func (p Position) Tile(x, y int) int {
	i, ok := p.size.cell(x, y)
	if !ok {
		return 0
	}
	return tileValue(p.Exponent(i))
}

// Tiles returns the values of the tiles by rows, 0 for an empty cell.
func (p Position) Tiles() [][]int {
	rows := make([][]int, p.size.Height)
	for y := range rows {
		rows[y] = make([]int, p.size.Width)
		for x := range rows[y] {
			rows[y][x] = p.Tile(x+1, y+1)
		}
	}
	return rows
}

// LargestTile returns the value of the largest tile, 0 on an empty board.
func (p Position) LargestTile() int {
	largest := 0
	for i := range 16 {
		largest = max(largest, p.Exponent(i))
	}
	return tileValue(largest)
}

// Over reports whether the game is over: the defender is to move and mated, that is, no slide is legal.
func (p Position) Over() bool {
	if p.side == Attacker {
		return false
	}
	if p.huge != 0 || p.board.twoLargest() {
		return len(p.AppendMoves(nil)) == 0
	}
	return p.board.Stuck(p.size)
}

// AppendMoves appends the legal moves to dst: placements by cell, the 2 before the 4, or slides in the order N S W E.
func (p Position) AppendMoves(dst []Move) []Move {
	if p.side == Defender {
		for m := North; m <= East; m++ {
			if p.slides(m) {
				dst = append(dst, m)
			}
		}
		return dst
	}
	empty := p.board.Empty(p.size)
	for i := range 16 {
		if empty>>(4*i)&1 == 0 {
			continue
		}
		dst = append(dst, Place(i, false))
		if p.rules.Fours() {
			dst = append(dst, Place(i, true))
		}
	}
	return dst
}

// Next returns the position after a move, which must be legal: Next does not check it.
func (p Position) Next(m Move) Position {
	if m.IsSlide() {
		p = p.slid(m)
		p.side = Attacker
	} else {
		p.board = p.board.With(m.Cell(), 1+int(m>>4))
		p.offset -= 4 * int32(m>>4)
		p.side = Defender
	}
	p.ply++
	return p
}

// Play returns the position after the move. It returns p and an *IllegalMoveError if the move is not legal.
func (p Position) Play(m Move) (Position, error) {
	if reason := p.objection(m); reason != "" {
		return p, &IllegalMoveError{m, p, reason}
	}
	return p.Next(m), nil
}

// IllegalMoveError is the error for an illegal move: the move, the position before it and the reason.
type IllegalMoveError struct {
	Move     Move
	Position Position
	Reason   Reason
}

func (e *IllegalMoveError) Error() string {
	return fmt.Sprintf("illegal move %v at ply %d (%v): %s", e.Move, e.Position.ply, e.Position, e.why())
}

// why returns the reason. For a move of the wrong kind it says which kind is right.
func (e *IllegalMoveError) why() string {
	switch {
	case e.Reason != NotYourMove:
		return string(e.Reason)
	case e.Move.IsSlide():
		return "a slide, but the attacker is to move by a placement such as (1,2)"
	}
	return "a placement, but the defender is to move by N, S, W or E"
}

// Reason says why a move is illegal.
type Reason string

// The reasons.
const (
	NotYourMove  Reason = "it is the other side's turn" // a slide by the attacker, a placement by the defender
	OutsideBoard Reason = "the cell is outside the board"
	CellOccupied Reason = "the cell is occupied"
	NoFours      Reason = "these rules place only 2s"
	NothingMoves Reason = "the slide changes nothing"
	UnknownMove  Reason = "it is no move"
	GameOver     Reason = "the game is over"
)

// Perft counts the sequences of legal moves from p that have the given number of plies, 0 or more. Symmetric sequences
// count separately. The count is 1 for no plies, and 0 if every game ends earlier.
func Perft(p Position, plies int) uint64 {
	if plies == 0 {
		return 1
	}
	moves := p.AppendMoves(make([]Move, 0, 32))
	if plies == 1 {
		return uint64(len(moves))
	}
	var n uint64
	for _, m := range moves {
		n += Perft(p.Next(m), plies-1)
	}
	return n
}

// objection returns the reason why the move is illegal, or "" if it is legal.
func (p Position) objection(m Move) Reason {
	switch {
	case m > East:
		return UnknownMove
	case p.Over():
		return GameOver
	case m.IsSlide() != (p.side == Defender):
		return NotYourMove
	case m.IsSlide():
		if !p.slides(m) {
			return NothingMoves
		}
	case !p.size.holds(m.Cell()):
		return OutsideBoard
	case p.board.Exponent(m.Cell()) != 0:
		return CellOccupied
	case m.IsFour() && !p.rules.Fours():
		return NoFours
	}
	return ""
}

// slides reports whether the slide m changes the board.
func (p *Position) slides(m Move) bool {
	if p.huge != 0 || p.board.twoLargest() {
		return p.slidHuge(m) != *p
	}
	return p.board.Slide(p.size, m) != p.board
}

// slid returns p with its tiles slid and everything else unchanged.
func (p Position) slid(m Move) Position {
	if p.huge != 0 || p.board.twoLargest() {
		return p.slidHuge(m)
	}
	p.board = p.board.Slide(p.size, m)
	return p
}

// twoLargest reports whether at least two cells show a 32768. Only then can a slide make a 65536, which does not
// fit four bits. A cell that shows a 32768 may hold a 65536 already.
func (b Board) twoLargest() bool {
	m := uint64(b) & uint64(b>>1)
	m = m & (m >> 2) & 0x1111_1111_1111_1111
	return m&(m-1) != 0
}

// slidHuge slides a board that has a 65536 or may get one, cell by cell.
func (p Position) slidHuge(m Move) Position {
	out := p
	out.board, out.huge = 0, 0
	for n := range 4 {
		var line [4]uint8
		for k := range line {
			if i, ok := p.size.lineCell(m, n, k); ok {
				line[k] = uint8(p.Exponent(i))
			}
		}
		for k, e := range slideLine(line, maxExponent) {
			if e == 0 {
				continue
			}
			i, _ := p.size.lineCell(m, n, k)
			out.board = out.board.With(i, min(int(e), maxNibble))
			if e == maxExponent {
				out.huge |= 1 << i
			}
		}
	}
	return out
}

// lineCell returns the cell of line n that is k steps from the wall that m slides to. Both n and k count from
// 0. ok is false outside the board.
func (s Size) lineCell(m Move, n, k int) (cell int, ok bool) {
	x, y := n, n
	switch m {
	case North:
		y = k
	case South:
		y = int(s.Height) - 1 - k
	case West:
		x = k
	default:
		x = int(s.Width) - 1 - k
	}
	return s.cell(x+1, y+1)
}

package rules

// Position is everything that decides how a game goes on: the board, who is to
// move, the ply and the score, with the rules and the size they stand under.
// It is a small value, safe to copy and compare: equal positions of one game
// are ==. The zero Position is not valid; begin with NewPosition or
// PositionFrom.
type Position struct {
	board  Board
	offset int32  // score minus the board's potential: -4 for each placed 4
	ply    uint32 // plies played before this one
	huge   uint16 // cells that hold a 65536; on the board they show as a 32768
	size   Size
	rules  Ruleset
	side   Side
}

// NewPosition is the empty board with the attacker to move. The size must be
// one of Sizes.
func NewPosition(r Ruleset, s Size) Position { return Position{rules: r, size: s} }

// Rules is the rule set that the position stands under.
func (p Position) Rules() Ruleset { return p.rules }

// Size is the size of the board.
func (p Position) Size() Size { return p.size }

// Board is the board. A 65536 shows as a 32768 there; see HasHuge.
func (p Position) Board() Board { return p.board }

// HasHuge tells whether the board holds a 65536, which Board can't show.
func (p Position) HasHuge() bool { return p.huge != 0 }

// SideToMove is the side that moves next.
func (p Position) SideToMove() Side { return p.side }

// Ply is the number of plies played before this position.
func (p Position) Ply() int { return int(p.ply) }

// Score is what the defender has scored: the sum of all merged tiles.
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

// Exponent is the exponent of the tile in cell i of the 4x4 grid, 1 to 16, or
// 0 if it is empty.
func (p Position) Exponent(i int) int { return p.board.Exponent(i) + int(p.huge>>i&1) }

// Tile is the value of the tile at column x, row y, both from 1, or 0 for an
// empty cell and for one outside the board.
func (p Position) Tile(x, y int) int {
	i, ok := p.size.cell(x, y)
	if !ok {
		return 0
	}
	return tileValue(p.Exponent(i))
}

// Tiles are the values of the tiles by rows, 0 for an empty cell.
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

// LargestTile is the value of the largest tile, 0 on an empty board.
func (p Position) LargestTile() int {
	largest := 0
	for i := range 16 {
		largest = max(largest, p.Exponent(i))
	}
	return tileValue(largest)
}

// Over tells whether the defender is to move and is mated: no slide is legal.
func (p Position) Over() bool {
	if p.side == Attacker {
		return false
	}
	if p.huge != 0 || p.board.twoLargest() {
		return len(p.AppendMoves(nil)) == 0
	}
	return p.board.Stuck(p.size)
}

// AppendMoves appends the legal moves to dst: placements by cell, the 2 before
// the 4, or slides in the order N S W E.
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

// Next is the position after a legal move. It checks nothing.
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

// slides tells whether the slide m changes the board.
func (p *Position) slides(m Move) bool {
	if p.huge != 0 || p.board.twoLargest() {
		return p.slidHuge(m) != *p
	}
	return p.board.Slide(p.size, m) != p.board
}

// slid is p with its tiles slid and all else as it was.
func (p Position) slid(m Move) Position {
	if p.huge != 0 || p.board.twoLargest() {
		return p.slidHuge(m)
	}
	p.board = p.board.Slide(p.size, m)
	return p
}

package analysis

import (
	"fmt"

	"versus2048/rules"
)

// Board is the data of the template "board".
type Board struct {
	Width, Height int
	Label         string
	Rows          [][]Cell
}

// Cell is one cell, empty if Tile is 0.
type Cell struct {
	X, Y, Tile int
	Label      string
	Placed     bool   // by the last move
	Place      []Move // in this cell, on the page of a position
}

// NewBoard returns the board of a position. It marks the tile that was placed last in moves.
func NewBoard(p rules.Position, moves []rules.Move) Board {
	size := p.Size()
	b := Board{Width: int(size.Width), Height: int(size.Height)}
	b.Label = fmt.Sprintf("Board of %v, the %v to move, score %d", size, p.SideToMove(), p.Score())
	for y := 1; y <= b.Height; y++ {
		var row []Cell
		for x := 1; x <= b.Width; x++ {
			c := Cell{X: x, Y: y, Tile: p.Tile(x, y)}
			c.Label = cellLabel(x, y, c.Tile)
			if n := len(moves); n > 0 && !moves[n-1].IsSlide() {
				c.Placed = moves[n-1].Cell() == 4*(y-1)+x-1
			}
			row = append(row, c)
		}
		b.Rows = append(b.Rows, row)
	}
	return b
}

// cellLabel describes a cell and its tile.
func cellLabel(x, y, tile int) string {
	if tile == 0 {
		return fmt.Sprintf("column %d, row %d: empty", x, y)
	}
	return fmt.Sprintf("column %d, row %d: %d", x, y, tile)
}

// link adds the placements among moves to the cells.
func (b *Board) link(moves []Move) {
	for _, m := range moves {
		if !m.Move.IsSlide() {
			cell := &b.Rows[m.Move.Cell()/4][m.Move.Cell()%4]
			cell.Place = append(cell.Place, m)
		}
	}
}

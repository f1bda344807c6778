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
	Best          string // the best slide, drawn as an arrow; "" for none
}

// Cell is one cell, empty if Tile is 0.
type Cell struct {
	X, Y, Tile int
	Label      string
	Placed     bool        // whether the last move placed the tile
	Best       int         // the tile that the best placement puts here, 0 for none
	Place      []LegalMove // the legal placements in this cell, on the page of a position
}

// NewBoard returns the board of a position. If the last of moves is a placement, NewBoard marks its tile.
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

// Point draws the best move on the board: an arrow, or a tile that is not there yet. It draws nothing for nil.
func (b *Board) Point(best *BestMove) {
	switch {
	case best == nil:
	case best.IsSlide():
		b.Best = best.String()
	case best.IsFour():
		b.Rows[best.Cell()/4][best.Cell()%4].Best = 4
	default:
		b.Rows[best.Cell()/4][best.Cell()%4].Best = 2
	}
}

// cellLabel describes a cell and its tile.
func cellLabel(x, y, tile int) string {
	if tile == 0 {
		return fmt.Sprintf("column %d, row %d: empty", x, y)
	}
	return fmt.Sprintf("column %d, row %d: %d", x, y, tile)
}

// link adds the placements among moves to the cells.
func (b *Board) link(moves []LegalMove) {
	for _, m := range moves {
		if !m.Move.IsSlide() {
			cell := &b.Rows[m.Move.Cell()/4][m.Move.Cell()%4]
			cell.Place = append(cell.Place, m)
		}
	}
}

package web

import (
	"fmt"

	"versus2048/rules"
)

// boardView is a board as the template "board" shows it.
type boardView struct {
	Width, Height int
	Label         string
	Rows          [][]cellView
}

// cellView is one cell, empty if Tile is 0.
type cellView struct {
	X, Y, Tile int
	Label      string
	Placed     bool // by the last move
}

// newBoardView returns the board of a position. It marks the tile that the last of the moves placed.
func newBoardView(p rules.Position, moves []rules.Move) boardView {
	size := p.Size()
	b := boardView{Width: int(size.Width), Height: int(size.Height)}
	b.Label = fmt.Sprintf("Board of %v, the %v to move, score %d", size, p.SideToMove(), p.Score())
	for y := 1; y <= b.Height; y++ {
		var row []cellView
		for x := 1; x <= b.Width; x++ {
			c := cellView{X: x, Y: y, Tile: p.Tile(x, y)}
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

// cellLabel says what is on a cell.
func cellLabel(x, y, tile int) string {
	if tile == 0 {
		return fmt.Sprintf("column %d, row %d: empty", x, y)
	}
	return fmt.Sprintf("column %d, row %d: %d", x, y, tile)
}

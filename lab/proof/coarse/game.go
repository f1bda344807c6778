package coarse

import "versus2048/rules"

// game has the settings and tables that all layers share.
type game struct {
	config Config
	kinds  int   // of tiles that the attacker places: 1 for a 2, 2 for a 2 or a 4
	cells  []int // the cells' numbers on a rules.Board, in the order of layer.fill
	axes   []axis
}

// axis has the tables for slides along rows, or along columns, in both directions.
type axis struct {
	first, last     *lines   // of slides towards the first cell of a line, and towards the last one
	toFirst, toLast *origins // of the same slides
	count           int      // of lines
	transposed      bool     // columns are the rows of the transposed board
}

// made returns the number of large tiles that a slide makes in a line.
func (a axis) made(line rules.Board) int { return a.first[uint16(line)][0].made } // #nosec G115 -- one line of the board

func newGame(c Config) *game {
	g := &game{config: c, kinds: 1}
	if c.Rules.Fours() {
		g.kinds = 2
	}
	last := int(c.Size.Height) - 1
	for i := range last + 1 {
		y := (i + last) % (last + 1) // the last row, the first one, and the others: see canBeLeast
		for x := range int(c.Size.Width) {
			g.cells = append(g.cells, 4*y+x)
		}
	}
	rows, columns := axis{count: int(c.Size.Height)}, axis{count: int(c.Size.Width), transposed: true}
	rows.first, rows.last = newLines(int(c.Size.Width), c.Large)
	columns.first, columns.last = newLines(int(c.Size.Height), c.Large)
	for _, a := range []*axis{&rows, &columns} {
		a.toFirst, a.toLast = a.first.reversed(), a.last.reversed()
	}
	g.axes = []axis{rows, columns}
	return g
}

// top returns the largest sum of tiles with the attacker to move: one cell is empty.
func (g *game) top() int {
	return g.config.most()<<g.config.Large + (g.config.cells()-1)<<(g.config.Large-1)
}

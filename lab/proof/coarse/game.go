package coarse

import "versus2048/lab/proof"

// game has the settings and tables that all layers share.
type game struct {
	config Config
	kinds  int // of tiles that the attacker places: 1 for a 2, 2 for a 2 or a 4
	axes   []*axis
	twos   *proof.FirstTwos
}

// axis has the tables for slides along rows, or along columns, in both directions.
type axis struct {
	first, last     *lines   // of slides towards the first cell of a line, and towards the last one
	toFirst, toLast *origins // of the same slides
	*fillings
	count      int  // the number of lines
	transposed bool // columns are the rows of the transposed board
}

func newGame(c Config) *game {
	g := &game{config: c, kinds: 1, twos: proof.NewFirstTwos(c.Size)}
	if c.Rules.Fours() {
		g.kinds = 2
	}
	rows, columns := &axis{count: int(c.Size.Height)}, &axis{count: int(c.Size.Width), transposed: true}
	for _, a := range []*axis{rows, columns} {
		length := c.cells() / a.count
		a.first, a.last = newLines(length, c.Large)
		a.toFirst, a.toLast = a.first.reversed(c.Large), a.last.reversed(c.Large)
		a.fillings = newFillings(a.first, length, a.count, c.Large)
	}
	g.axes = []*axis{rows, columns}
	return g
}

// top returns an upper bound of the sum of tiles with the attacker to move: one cell is empty.
func (g *game) top() int {
	return g.config.most()<<g.config.Large + (g.config.cells()-1)<<(g.config.Large-1)
}

package exact

import "versus2048/rules"

// A Builder makes a Table of the values that a solver finds. Only the laboratory needs it.
type Builder struct{ table *Table }

// NewBuilder returns a Builder of a table of the game, whose layers have the sums 0, 2, 4 and so on.
func NewBuilder(g Game, layers int) *Builder { return &Builder{newTable(g, layers)} }

// Add packs the worths of all boards with the attacker to move that have one sum of tiles. The boards are in order, the
// smallest of those that are equal under a symmetry. Layers may be added at the same time.
func (b *Builder) Add(sum int, boards []rules.Board, worthOf func(i int) Worth) {
	b.table.layers[sum/2] = packLayer(b.table.game, boards, worthOf)
}

// Table returns the table, once all layers have been added.
func (b *Builder) Table() *Table { return b.table }

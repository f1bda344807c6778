package coarse

import (
	"versus2048/lab/proof"
	"versus2048/rules"
)

// origins has, for each line of cells, all lines that a slide changes into it.
type origins [1 << 16][]outcome // the line before the slide, and the merges in it

// reversed returns the origins of the lines that slides lead to.
func (from *lines) reversed() *origins {
	to := new(origins)
	for line, all := range from {
		for _, o := range all {
			after := o.line
			o.line = rules.Board(line) // #nosec G115 -- 16 bits
			to[after] = append(to[after], o)
		}
	}
	return to
}

// candidates calls visit for the canonical boards of the layer where a slide may lead to the wanted board after a 2 on
// the board's first empty cell. It may call visit several times for a board.
func (l *layer) candidates(wanted rules.Board, visit func(rules.Board)) {
	for _, a := range l.axes {
		back := unslider{layer: l, axis: a, to: wanted, visit: visit}
		if a.transposed {
			back.to = wanted.Transpose()
		}
		for _, back.origins = range []*origins{a.toFirst, a.toLast} {
			back.line(0, 0, 0, 0)
		}
	}
}

// unslider takes a slide back.
type unslider struct {
	*layer
	axis
	origins *origins
	to      rules.Board // the board after the slide, transposed for slides along columns
	visit   func(rules.Board)
}

// line goes through the origins of line i and of the lines after it. from, merged and made sum up the chosen origins of
// the lines before.
func (u *unslider) line(i int, from rules.Board, merged, made int) {
	if i < u.count {
		for _, o := range u.origins[uint16(u.to>>(16*i))] { // #nosec G115 -- one line of the board
			u.line(i+1, from|o.line<<(16*i), merged+o.merged, made+o.made)
		}
		return
	}
	if from == u.to {
		return
	}
	if u.transposed {
		from = from.Transpose()
	}
	c := u.classOf(from, u.sum+2)
	if c.large > c.worth || merged > c.spare() {
		return
	}
	placed := from.Canonical(u.config.Size)
	for cell := range 16 {
		if from.Exponent(cell) != 1 {
			continue
		}
		b := (from &^ (15 << (4 * cell))).Canonical(u.config.Size)
		if proof.FirstTwo(b, u.config.Size).Canonical(u.config.Size) == placed {
			u.visit(b)
		}
	}
}

// classOf returns the class of a board with that sum of tiles.
func (l *layer) classOf(b rules.Board, sum int) (c class) {
	for cell := range 16 {
		switch k := b.Exponent(cell); {
		case k == l.config.Large:
			c.large++
		case k > 0:
			c.small += 1 << k
		}
	}
	c.worth = (sum - c.small) >> l.config.Large
	return c
}

package coarse

import "versus2048/rules"

// origin is a line before a slide.
type origin struct {
	line         rules.Board
	merged       int // pairs of large tiles that merge in the slide
	large, small int // the number of large tiles, and the sum of the others
}

// origins has, for each line of cells, all lines that a slide changes into it.
type origins [1 << 16][]origin

// reversed returns the origins of the lines that slides lead to. A tile of exponent large stands for all large tiles.
func (from *lines) reversed(large int) *origins {
	to := new(origins)
	for line, all := range from.all {
		o := origin{line: rules.Board(line)} // #nosec G115 -- 16 bits
		o.large, o.small = tilesOf(o.line, large)
		for _, after := range all {
			o.merged = after.merged
			to[after.line] = append(to[after.line], o)
		}
	}
	return to
}

// candidates calls visit for the canonical boards of the layer that may lead to the wanted board by a 2 on their
// first empty cell and a slide. It may call visit several times for a board.
func (l *layer) candidates(wanted rules.Board, visit func(rules.Board)) {
	for _, a := range l.axes {
		back := unslider{layer: l, axis: a, to: wanted, visit: visit}
		if a.transposed {
			back.to = wanted.Transpose()
		}
		for _, back.origins = range []*origins{a.toFirst, a.toLast} {
			back.lines(0, origin{})
		}
	}
}

// unslider takes a slide back.
type unslider struct {
	*layer
	*axis
	origins *origins
	to      rules.Board // the board after the slide, transposed for slides along columns
	visit   func(rules.Board)
}

// lines goes through the origins of line i and of the lines after it. from has the chosen origins of the lines before.
func (u *unslider) lines(i int, from origin) {
	if i < u.count {
		for _, o := range u.origins[uint16(u.to>>(16*i))] { // #nosec G115 -- one line of the board
			u.lines(i+1, origin{from.line | o.line<<(16*i), from.merged + o.merged, from.large + o.large, from.small + o.small})
		}
		return
	}
	c := u.class(from.large, from.small, u.sum+2)
	if from.line == u.to || c.large > c.worth || from.merged > c.spare() {
		return
	}
	if u.transposed {
		from.line = from.line.Transpose()
	}
	u.twos.Before(from.line, u.visit)
}

package coarse

import (
	"slices"

	"versus2048/rules"
)

// tally is about some cells: the number of large tiles on them, the sum of their other tiles, and the number of large
// tiles that a slide makes of these.
type tally struct{ large, small, made int }

func (t tally) less(o tally) tally {
	return tally{t.large - o.large, t.small - o.small, t.made - o.made}
}

// filled is a line with its tiles.
type filled struct {
	line, mirrored rules.Board
	tally
}

// listLines lists all lines of the axis, with large tiles from 2^large on.
func (a *axis) listLines(length, large int) {
	a.length, a.with = length, map[tally][]filled{}
	for line, slides := range a.first {
		if len(slides) == 0 {
			continue // a tile is larger than a large one
		}
		f := filled{line: rules.Board(line), tally: tally{made: slides[0].made}} // #nosec G115 -- 16 bits
		for cell := range length {
			k := f.line.Exponent(cell)
			f.mirrored = f.mirrored<<4 | rules.Board(k) // #nosec G115 -- an exponent
			switch {
			case k == large:
				f.large++
			case k > 0:
				f.small += 1 << k
			}
		}
		tiles := tally{large: f.large, small: f.small}
		a.all, a.with[tiles] = append(a.all, f), append(a.with[tiles], f)
	}
}

// makers returns functions that find the makers of the layer: the boards where a slide makes enough large tiles for the
// defender's aim.
func (l *layer) makers() (all []func() []rules.Board) {
	axes := l.axes
	if l.config.Size.Square() {
		axes = axes[:1] // the transposed board slides along the other axis
	}
	for _, a := range axes {
		for _, c := range l.classes() {
			whole := tally{c.large, c.small, l.config.most() + 1 - c.worth}
			for last := range slices.Chunk(a.all, 1<<4) {
				all = append(all, func() []rules.Board { return l.endingWith(a, whole, last) })
			}
		}
	}
	return all
}

// endingWith returns the boards with the tiles of whole, and with one of these last lines. It may leave out mirror images.
func (l *layer) endingWith(a axis, whole tally, last []filled) []rules.Board {
	m := maker{layer: l, axis: a}
	for _, f := range last {
		if f.line <= f.mirrored {
			m.last = f.line
			m.fill(f.line<<(16*(a.count-1)), a.count-1, whole.less(f.tally))
		}
	}
	return m.found
}

// maker fills boards line by line, from the last line to the first.
type maker struct {
	*layer
	axis
	last  rules.Board // the last line
	found []rules.Board
}

// fill adds the canonical forms of the boards with the last lines of b and any first lines, more of them, that have the
// tiles of rest, and make as many large ones or more.
func (m *maker) fill(b rules.Board, more int, rest tally) {
	cells := more * m.length
	if rest.large < 0 || rest.small < 0 || rest.small > (cells-rest.large)<<(m.config.Large-1) || rest.made > more*(m.length/2) {
		return
	}
	lines := m.all
	switch more {
	case 0:
		if m.transposed {
			b = b.Transpose()
		}
		if b.Empty(m.config.Size) != 0 {
			m.found = append(m.found, b.Canonical(m.config.Size))
		}
		return
	case 1:
		lines = m.with[tally{large: rest.large, small: rest.small}]
	}
	for _, f := range lines {
		if more > 1 || min(f.line, f.mirrored) >= m.last { // a smaller first line is the last one of a mirror image
			m.fill(b|f.line<<(16*(more-1)), more-1, rest.less(f.tally))
		}
	}
}

package coarse

import (
	"versus2048/lab/proof"
	"versus2048/rules"
)

// makers returns functions that find the makers of the layer: the boards where a slide makes enough large tiles for the
// defender's aim.
func (l *layer) makers() (all []proof.Task) {
	axes := l.axes
	if l.config.Size.Square() {
		axes = axes[:1] // the transposed board slides along the other axis
	}
	for _, a := range axes {
		for _, c := range l.classes() {
			whole := tally{c.large, c.small, l.config.most() + 1 - c.worth}
			for _, last := range a.equal {
				if rest := whole.less(last[0].tally); a.fit(rest, a.count-1) {
					all = append(all, func(found []rules.Board) []rules.Board { return l.endingWith(found, a, last, rest) })
				}
			}
		}
	}
	return all
}

// endingWith appends the boards that have a line of last as their last line, and the tiles of rest in the lines before.
// It may leave out mirror images.
func (l *layer) endingWith(found []rules.Board, a *axis, last []filled, rest tally) []rules.Board {
	m := maker{layer: l, axis: a, found: found}
	for _, f := range last {
		if f.line <= f.mirrored {
			m.last = f.line
			m.fill(f.line<<(16*(a.count-1)), a.count-1, rest)
		}
	}
	return m.found
}

// maker fills boards line by line, from the last line to the first.
type maker struct {
	*layer
	*axis
	last  rules.Board // the last line
	found []rules.Board
}

// fill adds the canonical forms of boards with an empty cell. The last lines of each board come from b. more is the
// number of lines before them. Together, the lines before have the tiles of rest, and make rest.made large tiles or
// more. Such lines must exist.
func (m *maker) fill(b rules.Board, more int, rest tally) {
	switch more {
	case 0:
		if m.transposed {
			b = b.Transpose()
		}
		if b.Empty(m.config.Size) != 0 {
			m.found = append(m.found, b.Canonical(m.config.Size))
		}
	case 1:
		rest.made = max(0, rest.made)
		for _, f := range m.with[rest] {
			if min(f.line, f.mirrored) >= m.last { // a smaller first line is the last one of a mirror image
				m.fill(b|f.line, 0, tally{})
			}
		}
	default:
		for _, equal := range m.equal {
			if next := rest.less(equal[0].tally); m.fit(next, more-1) {
				for _, f := range equal {
					m.fill(b|f.line<<(16*(more-1)), more-1, next)
				}
			}
		}
	}
}

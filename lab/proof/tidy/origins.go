package tidy

import "versus2048/rules"

// origins has, for each line, all lines that a slide towards one end changes into it, by its cells.
type origins [1 << 16][]rules.Board

// axis has the tables for slides along rows, or along columns, in both directions.
type axis struct {
	first, last *origins
	count       int
	transposed  bool // columns are the rows of the transposed board
}

// newAxis slides all lines of a length, of tiles up to an exponent.
func newAxis(length, count uint8, most int) axis {
	a := axis{first: new(origins), last: new(origins), count: int(count)}
	row := rules.Size{Width: length, Height: 1}
	var fill func(cell int, line rules.Board)
	fill = func(cell int, line rules.Board) {
		if cell < int(length) {
			for k := range most + 1 {
				fill(cell+1, line.With(cell, k))
			}
			return
		}
		first, last := line.Slide(row, rules.West), line.Slide(row, rules.East)
		a.first[first] = append(a.first[first], line)
		a.last[last] = append(a.last[last], line)
	}
	fill(0, 0)
	return a
}

// eachBefore calls done for the boards that a slide may have changed into a board.
func (g *game) eachBefore(b rules.Board, done func(rules.Board)) {
	for _, a := range g.axes {
		to := b
		if a.transposed {
			to = b.Transpose()
		}
		for _, table := range []*origins{a.first, a.last} {
			a.lines(table, to, 0, 0, done)
		}
	}
}

// lines goes through the origins of a line and of the lines after it.
func (a *axis) lines(table *origins, to rules.Board, i int, from rules.Board, done func(rules.Board)) {
	switch {
	case i < a.count:
		for _, line := range table[to>>(16*i)&0xFFFF] {
			a.lines(table, to, i+1, from|line<<(16*i), done)
		}
	case from == to:
	case a.transposed:
		done(from.Transpose())
	default:
		done(from)
	}
}

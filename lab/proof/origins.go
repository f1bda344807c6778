package proof

import "versus2048/rules"

// origins has, for each line of cells, all lines that a slide towards one end changes into it.
type origins [1 << 16][]rules.Board

// axis has the tables for slides along rows, or along columns, in both directions.
type axis struct {
	first, last *origins // for slides towards the first cell of a line, and towards the last one
	count       int      // number of lines of a board
	transposed  bool     // the lines are columns: the rows of the transposed board
}

// Origins takes slides back.
type Origins struct{ axes [2]axis }

// NewOrigins returns the Origins of boards of a size, with tiles up to 2^most.
func NewOrigins(s rules.Size, most int) *Origins {
	rows, columns := newAxis(s.Width, s.Height, most), newAxis(s.Height, s.Width, most)
	columns.transposed = true
	return &Origins{[2]axis{rows, columns}}
}

// newAxis returns the tables for lines of a length, with tiles up to 2^most. count is the number of lines of a board.
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

// Each calls visit for each board that a slide changes into b, several times for a board with several such slides.
func (o *Origins) Each(b rules.Board, visit func(rules.Board)) {
	for _, a := range o.axes {
		to := b
		if a.transposed {
			to = b.Transpose()
		}
		for _, table := range []*origins{a.first, a.last} {
			a.lines(table, to, 0, 0, visit)
		}
	}
}

// lines calls visit for each board that the slide of the table changes into the board to. It chooses an origin for
// each line of to, in all combinations. from has the origins of the lines before i.
func (a *axis) lines(table *origins, to rules.Board, i int, from rules.Board, visit func(rules.Board)) {
	switch {
	case i < a.count:
		for _, line := range table[to>>(16*i)&0xFFFF] {
			a.lines(table, to, i+1, from|line<<(16*i), visit)
		}
	case from == to: // not a slide: a slide must change the board
	case a.transposed:
		visit(from.Transpose())
	default:
		visit(from)
	}
}

package gametree

import (
	"cmp"
	"slices"
)

// sweeps is how often all rows are ordered, down and up in turns. More change
// nothing any more on boards whose trees can be drawn.
const sweeps = 40

// order puts each row into an order in which few edges cross: each vertex goes
// to the barycentre of its neighbours, and the best of all sweeps is kept.
func (l *layers) order() {
	l.number()
	best, fewest := l.copyRows(), l.crossings()
	for sweep := range sweeps {
		l.sweep(sweep%2 == 0)
		if n := l.crossings(); n < fewest {
			best, fewest = l.copyRows(), n
		}
	}
	l.rows = best
	l.number()
}

// number gives each vertex its place in its row as x.
func (l *layers) number() {
	for _, row := range l.rows {
		for i, v := range row {
			v.x = float64(i)
		}
	}
}

func (l *layers) copyRows() [][]*vertex {
	rows := make([][]*vertex, len(l.rows))
	for i, row := range l.rows {
		rows[i] = slices.Clone(row)
	}
	return rows
}

// sweep orders each row by the one above it, or each by the one below it.
func (l *layers) sweep(down bool) {
	for i := range l.rows {
		row := l.rows[i]
		if !down {
			row = l.rows[len(l.rows)-1-i]
		}
		slices.SortStableFunc(row, func(a, b *vertex) int { return cmp.Compare(a.barycentre(down), b.barycentre(down)) })
		for x, v := range row {
			v.x = float64(x)
		}
	}
}

// barycentre is the mean place of the neighbours above, or of those below; its
// own place if there are none.
func (v *vertex) barycentre(above bool) float64 {
	if above {
		return mean(v.up, v.x)
	}
	return mean(v.down, v.x)
}

func mean(neighbours []*vertex, otherwise float64) float64 {
	if len(neighbours) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, n := range neighbours {
		sum += n.x
	}
	return sum / float64(len(neighbours))
}

// crossings counts the pairs of edges that cross.
func (l *layers) crossings() (n int) {
	for _, row := range l.rows {
		for i, left := range row {
			for _, right := range row[i+1:] {
				n += inversions(left.down, right.down)
			}
		}
	}
	return n
}

// inversions counts the pairs of which the left one's end lies to the right.
func inversions(left, right []*vertex) (n int) {
	for _, a := range left {
		for _, b := range right {
			if a.x > b.x {
				n++
			}
		}
	}
	return n
}

package retrograde

import (
	"cmp"
	"math"
	"slices"
)

// layers is a tree as rows of vertices, with edges only from one row to the next
// (Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical
// system structures", 1981).
type layers struct {
	rows  [][]*vertex
	links []link
}

// vertex is a point in the drawing: a node, or the point of a long edge in a row that it passes.
type vertex struct {
	node *Node // nil for a point of an edge
	x    float64
	up   []*vertex // the neighbours in the row above
	down []*vertex // the neighbours in the row below
}

// link is an edge in the drawing, with the vertices on its way.
type link struct {
	edge Edge
	path []*vertex
}

// newLayers returns the layers of a tree. The vertices have no positions yet.
func newLayers(t *Tree) *layers {
	l := &layers{rows: make([][]*vertex, len(t.Rows))}
	vertices := map[*Node]*vertex{}
	for row, nodes := range t.Rows {
		for _, n := range nodes {
			vertices[n] = l.add(row, n)
		}
	}
	for row, nodes := range t.Rows {
		for _, n := range nodes {
			for _, e := range n.Edges {
				l.connect(e, row, vertices[n], vertices[e.To])
			}
		}
	}
	return l
}

// add adds a vertex at the end of a row.
func (l *layers) add(row int, n *Node) *vertex {
	v := &vertex{node: n}
	l.rows[row] = append(l.rows[row], v)
	return v
}

// connect adds an edge from a vertex in the row to a vertex further down.
func (l *layers) connect(e Edge, row int, from, to *vertex) {
	path := []*vertex{from}
	for row++; row < rowOf(to.node.Position); row++ {
		path = append(path, l.add(row, nil))
	}
	path = append(path, to)
	for i, v := range path[1:] {
		path[i].down, v.up = append(path[i].down, v), append(v.up, path[i])
	}
	l.links = append(l.links, link{e, path})
}

// sweeps is the number of times that all rows are sorted, alternately down and up. On boards that are small enough
// to be drawn, more sweeps change nothing.
const sweeps = 40

// order sorts the rows so that few edges cross: each vertex goes to the barycentre of
// its neighbours, and the best result of all sweeps is kept.
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

// number sets the x of each vertex to its index in the row.
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

// sweep sorts each row by the one above it, or each by the one below it.
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

// barycentre returns the mean x of the neighbours above or, if above is false, below. It returns the vertex's own x if
// there are none.
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

// inversions counts the pairs of neighbours in the wrong order: the neighbour of the left vertex is to the
// right of the neighbour of the right vertex.
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

// The space to the left and right of a node's middle, and around a passing edge, in
// units of x. A board's value is to its right.
const (
	leftOfNode  = 0.45
	rightOfNode = 0.85
	aroundPass  = 0.15
)

// pull is the factor that moves the rows towards x = 0, so that the drawing does not
// drift sideways. A factor of 1 would have no effect.
const pull = 0.97

// rounds is the number of times that all rows are placed by their neighbours.
const rounds = 60

// place sets each vertex's x, from 0. It keeps the order and the minimum distances within each row. It settles one row
// after the other, so that each x comes close to the mean x of the vertex's neighbours.
func (l *layers) place() {
	for _, row := range l.rows {
		for i, v := range row {
			v.x = float64(i) - float64(len(row)-1)/2
		}
	}
	for round := range rounds {
		for i := range l.rows {
			row := l.rows[i]
			if round%2 == 1 {
				row = l.rows[len(l.rows)-1-i]
			}
			settle(row)
		}
	}
	l.alignLeft()
}

func (l *layers) alignLeft() {
	left := math.Inf(1)
	for _, row := range l.rows {
		left = min(left, row[0].x)
	}
	for _, row := range l.rows {
		for _, v := range row {
			v.x -= left
		}
	}
}

// settle places a row: it minimizes the sum of the squared differences between each x and pull times the mean x of the
// neighbours. After subtracting the minimum distances, the xs only need to be non-decreasing. That is isotonic
// regression, solved by pooling adjacent violators.
func settle(row []*vertex) {
	offsets := make([]float64, len(row))
	var pools []pool
	for i, v := range row {
		if i > 0 {
			offsets[i] = offsets[i-1] + minDistance(row[i-1], v)
		}
		next := pool{pull*mean(slices.Concat(v.up, v.down), v.x) - offsets[i], 1}
		for len(pools) > 0 && pools[len(pools)-1].at >= next.at {
			next = next.with(pools[len(pools)-1])
			pools = pools[:len(pools)-1]
		}
		pools = append(pools, next)
	}
	i := 0
	for _, p := range pools {
		for range p.size {
			row[i].x = p.at + offsets[i]
			i++
		}
	}
}

// pool is a number of successive vertices in a row that are as close together as allowed.
type pool struct {
	at   float64 // the x of all these vertices, after subtracting the minimum distances
	size int     // their number
}

func (p pool) with(q pool) pool {
	size := p.size + q.size
	return pool{(p.at*float64(p.size) + q.at*float64(q.size)) / float64(size), size}
}

// minDistance returns the smallest distance between the middles of two successive vertices in a row.
func minDistance(a, b *vertex) float64 {
	left, right := aroundPass, aroundPass
	if a.node != nil {
		left = rightOfNode
	}
	if b.node != nil {
		right = leftOfNode
	}
	return left + right
}

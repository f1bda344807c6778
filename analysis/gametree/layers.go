package gametree

// vertex is a place in the drawing: a node, or where a long edge passes a row.
type vertex struct {
	node *Node // nil where an edge passes
	x    float64
	up   []*vertex // its neighbours in the row above
	down []*vertex // and below
}

// link is an edge in the drawing, with the vertices that it leads through.
type link struct {
	Edge
	path []*vertex
}

// layers is a tree as rows of vertices, whose edges all lead from one row to the
// next (Sugiyama, Tagawa and Toda, "Methods for visual understanding of
// hierarchical system structures", 1981).
type layers struct {
	rows  [][]*vertex
	links []link
}

func newLayers(t *Tree) *layers {
	l := &layers{rows: make([][]*vertex, len(t.Rows))}
	of := map[*Node]*vertex{}
	for row, nodes := range t.Rows {
		for _, n := range nodes {
			of[n] = l.add(row, n)
		}
	}
	for row, nodes := range t.Rows {
		for _, n := range nodes {
			for _, e := range n.Edges {
				l.connect(e, row, of[n], of[e.To])
			}
		}
	}
	return l
}

// add puts a vertex at the end of a row.
func (l *layers) add(row int, n *Node) *vertex {
	v := &vertex{node: n}
	l.rows[row] = append(l.rows[row], v)
	return v
}

// connect leads an edge from a vertex in the row to another further down.
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

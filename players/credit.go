package players

// credit adds what playouts from a leaf gave to the leaf and to whatever they
// could have come through: in a tree that is the path; where nodes are shared it
// is each ancestor of the leaf, once, whichever and however many ways lead to it.
func (g *graph) credit(path []int32, total float64, playouts int32) {
	if g.table != nil {
		g.creditAncestors(path[len(path)-1], total, playouts)
		return
	}
	for _, i := range path {
		g.stats[i].credit(total, playouts)
	}
}

// creditAncestors goes through the ancestors breadth first. Each is marked with
// the round's number, so that finding it again costs one comparison. There may
// be hundreds: this is the inner loop of a search that shares nodes.
func (g *graph) creditAncestors(leaf int32, total float64, playouts int32) {
	g.round++
	stats, nodes, parents, marks, round := g.stats, g.nodes, g.parents, g.marks, g.round
	open := append(g.open[:0], leaf)
	for k := 0; k < len(open); k++ {
		i := open[k]
		stats[i].credit(total, playouts)
		n := &nodes[i]
		for _, parent := range parents[n.firstParent:][:n.parents] {
			if mark := &marks[parent]; *mark != round {
				*mark = round
				open = append(open, parent)
			}
		}
	}
	g.open = open
}

// reserve notes that a playout through the path begins, or with -1 that it has
// ended, so that other threads see what is being looked at.
func (g *graph) reserve(path []int32, playouts int32) {
	for _, i := range path {
		g.stats[i].reserve(playouts)
	}
}

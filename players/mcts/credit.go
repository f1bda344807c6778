package mcts

import "versus2048/rules"

// Backup selects how the results of playouts reach the nodes above their leaf.
type Backup uint8

const (
	// Ancestors credits each ancestor of the leaf, as MCTS2 of Oka et al. does. Playouts that reached a child
	// by another way change the values of all its parents.
	Ancestors Backup = iota
	// Edges makes the value of a node the mean of its own playouts and of its children's values, weighted by the
	// number of visits from this node to each child. It counts visits by edges (Czech, Korus and Kersting 2021,
	// "Improving AlphaZero Using Monte-Carlo Graph Search").
	Edges
	// Minimax gives a node the value of the best child with a visit from this node. Where chance moves, it is Edges.
	Minimax
)

// String returns "ancestors", "edges" or "minimax".
func (b Backup) String() string { return [...]string{"ancestors", "edges", "minimax"}[b] }

// credit adds the result of playouts from a leaf to the leaf and to every node that the playouts could have come
// through. In a tree these are the nodes of the path. If nodes are shared, they are all ancestors of the leaf. Each
// ancestor is credited once, even if several ways lead from it to the leaf. If chance places the tiles, only the nodes
// of the path are credited even with shared nodes. Otherwise the weight of a placement in the mean would not be its
// probability: it would also grow with visits from other positions, which depend on the chosen slides.
func (g *graph) credit(path []int32, total float64, playouts int32) {
	if g.table != nil && !g.byChance() {
		g.creditAncestors(path[len(path)-1], total, playouts)
		return
	}
	for _, i := range path {
		g.nodes[i].credit(total, playouts, g.pending.through(i))
	}
}

// credit adds the result of playouts to n. pending is the number of other playouts through n that are under way.
func (n *node) credit(total float64, playouts, pending int32) {
	n.total += total
	n.visits += playouts
	n.mean = n.total / float64(n.visits-pending)
	n.width = width(n.visits)
}

// pendings has the number of playouts under way for each node, if several threads search. Otherwise it is empty. Two
// playouts that a thread makes from one leaf count as one.
type pendings []int32

// through returns the number of playouts under way through a node.
func (p pendings) through(i int32) int32 {
	if len(p) == 0 {
		return 0
	}
	return p[i]
}

// finished returns the number of finished playouts through a node.
func (g *graph) finished(i int32) int32 { return g.nodes[i].visits - g.pending.through(i) }

// creditAncestors visits the ancestors breadth first. It marks each with the number of the round, so that
// meeting it again costs one comparison. There may be hundreds of ancestors: this is the inner loop of a search
// with shared nodes.
func (g *graph) creditAncestors(leaf int32, total float64, playouts int32) {
	g.round++
	nodes, pending, above, parents, marks, round := g.nodes, g.pending, g.above, g.parents, g.marks, g.round
	open := append(g.open[:0], leaf)
	for k := 0; k < len(open); k++ {
		i := open[k]
		nodes[i].credit(total, playouts, pending.through(i))
		s := above[i]
		for _, parent := range parents[s.first:][:s.length] {
			if mark := &marks[parent]; *mark != round {
				*mark = round
				open = append(open, parent)
			}
		}
	}
	g.open = open
}

// reserve adds a playout under way to each node of the path, so that the other threads see it. With -1 it
// removes the playout again.
func (g *graph) reserve(path []int32, playouts int32) {
	for _, i := range path {
		g.pending[i] += playouts
		n := &g.nodes[i]
		n.visits += playouts
		switch {
		case g.finished(i) > 0:
			n.width = width(n.visits)
		case g.pending[i] > 0:
			n.width = reserved
		default:
			n.width = unvisited
		}
	}
}

// ownPlayouts is the result of the playouts that were made from a node while it was a leaf.
type ownPlayouts struct {
	total float64
	n     int32
}

// creditEdges adds the result of playouts from the leaf of d to the leaf, and recomputes the value of each node
// on the way back to the root.
func (g *graph) creditEdges(d *descent, total float64, playouts int32) {
	leaf := d.leaf()
	own := &g.own[leaf]
	own.total += total
	own.n += playouts
	g.recompute(leaf)
	for k := len(d.edges) - 1; k >= 0; k-- {
		g.passes[d.edges[k]] += playouts
		g.recompute(d.path[k])
	}
}

// recompute computes the value and the visits of a node from its own playouts and its children.
func (g *graph) recompute(i int32) {
	n := &g.nodes[i]
	total, visits := g.own[i].total, g.own[i].n
	passes := g.passes[n.firstEdge:]
	for k, child := range g.childrenOf(i) {
		total += float64(float64(passes[k]) * g.nodes[child].mean)
		visits += passes[k]
	}
	n.visits, n.mean = visits, total/float64(max(1, visits))
	if g.backup == Minimax && !g.drawsByChance(i) {
		g.takeBest(i)
	}
}

// takeBest gives a node the value of its best visited child, if there is one.
func (g *graph) takeBest(i int32) {
	n, sign := &g.nodes[i], sign(g.positions[i].SideToMove())
	passes := g.passes[n.firstEdge:]
	best, found := 0.0, false
	for k, child := range g.childrenOf(i) {
		if v := sign * g.nodes[child].mean; passes[k] > 0 && (!found || v > best) {
			best, found = v, true
		}
	}
	if found {
		n.mean = sign * best
	}
}

// drawsByChance reports whether chance moves in the position of a node.
func (g *graph) drawsByChance(i int32) bool {
	return g.byChance() && g.positions[i].SideToMove() == rules.Attacker
}

// byChance reports whether chance places the tiles.
func (g *graph) byChance() bool { return g.positions[0].Rules().Chance() }

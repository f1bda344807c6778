package mcts

import "versus2048/rules"

// Backup is how the results of playouts reach the nodes above their leaf.
type Backup uint8

const (
	// Ancestors credits each ancestor of the leaf, as MCTS2 of Oka et al. does: playouts that reached
	// a child by another way change the values of all its parents.
	Ancestors Backup = iota
	// Edges makes the value of a node the mean of its children's values, weighted by how often the
	// search went to each from here, and counts visits by edges (Czech, Korus and Kersting 2021,
	// "Improving AlphaZero Using Monte-Carlo Graph Search").
	Edges
	// Minimax gives a node the value of the best child that was visited from here.
	Minimax
)

// String returns "ancestors", "edges" or "minimax".
func (b Backup) String() string { return [...]string{"ancestors", "edges", "minimax"}[b] }

// credit adds the result of playouts from a leaf to the leaf and to every node that the playouts could
// have come through. In a tree these are the nodes of the path. Where nodes are shared they are all
// ancestors of the leaf, each credited once however many ways lead from it to the leaf.
func (g *graph) credit(path []int32, total float64, playouts int32) {
	if g.table != nil {
		g.creditAncestors(path[len(path)-1], total, playouts)
		return
	}
	for _, i := range path {
		g.stats[i].credit(total, playouts)
	}
}

// creditAncestors visits the ancestors breadth first. Each is marked with the number of the round, so
// that meeting it again costs one comparison. There may be hundreds: this is the inner loop of a
// search that shares nodes.
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

// reserve adds a playout under way to each node of the path, so that other threads know what is being
// searched. With -1 it removes the playout again.
func (g *graph) reserve(path []int32, playouts int32) {
	for _, i := range path {
		g.stats[i].reserve(playouts)
	}
}

// ownPlayouts is the result of the playouts that were made from a node while it was a leaf.
type ownPlayouts struct {
	total float64
	n     int32
}

// creditEdges adds the result of playouts from the leaf of d to the leaf, and recomputes the value of
// each node on the way back.
func (g *graph) creditEdges(d *descent, total float64, playouts int32) {
	leaf := d.leaf()
	own := &g.own[leaf]
	own.total += total
	own.n += playouts
	g.recompute(leaf)
	for k := len(d.taken) - 1; k >= 0; k-- {
		g.edges[d.taken[k]].visits += playouts
		g.recompute(d.path[k])
	}
}

// recompute computes the value of a node from the values of its children.
func (g *graph) recompute(i int32) {
	n, s := &g.nodes[i], &g.stats[i]
	total, visits := g.own[i].total, g.own[i].n
	for _, e := range g.children(n) {
		total += float64(e.visits) * g.stats[e.child].mean
		visits += e.visits
	}
	s.visits, s.mean = visits, total/float64(max(1, visits))
	if g.backup == Minimax && !n.drawsByChance() {
		g.takeBest(n, s)
	}
}

// takeBest gives the node the value of its best visited child, if there is one.
func (g *graph) takeBest(n *node, s *stat) {
	sign := sign(n.position.SideToMove())
	best, found := 0.0, false
	for _, e := range g.children(n) {
		if v := sign * g.stats[e.child].mean; e.visits > 0 && (!found || v > best) {
			best, found = v, true
		}
	}
	if found {
		s.mean = sign * best
	}
}

// drawsByChance reports whether chance moves in the position of the node.
func (n *node) drawsByChance() bool {
	return n.position.SideToMove() == rules.Attacker && n.position.Rules().Chance()
}

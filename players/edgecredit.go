package players

import "versus2048/rules"

// backup says how what playouts gave reaches the nodes above their leaf.
type backup uint8

const (
	// ancestors credits each ancestor of the leaf, as MCTS2 of Oka et al. does: a
	// child that is good or bad by playouts that came another way moves its
	// parents too.
	ancestors backup = iota
	// edges makes a node's value the mean of its children's, weighted by how
	// often the search went to each from here, and counts visits by edges (Czech,
	// Korus and Kersting 2021, "Improving AlphaZero Using Monte-Carlo Graph
	// Search").
	edges
	// minimax makes a node's value that of the best child that was visited from
	// here.
	minimax
)

var backups = []string{"ancestors", "edges", "minimax"}

// ownPlayouts are those that were made from a node while it was a leaf.
type ownPlayouts struct {
	total float64
	n     int32
}

// creditEdges adds what playouts from the leaf of d gave to the leaf, and works
// out anew the value of each node on the way back.
func (g *graph) creditEdges(d *descent, total float64, playouts int32) {
	leaf := d.leaf()
	own := &g.own[leaf]
	own.total += total
	own.n += playouts
	g.pull(leaf)
	for k := len(d.taken) - 1; k >= 0; k-- {
		g.edges[d.taken[k]].visits += playouts
		g.pull(d.path[k])
	}
}

// pull works out a node's value from its children's.
func (g *graph) pull(i int32) {
	n, s := &g.nodes[i], &g.stats[i]
	total, visits := g.own[i].total, g.own[i].n
	for _, e := range g.children(n) {
		total += float64(e.visits) * g.stats[e.child].mean
		visits += e.visits
	}
	s.visits, s.mean = visits, total/float64(max(1, visits))
	if g.backup == minimax && !n.drawsByChance() {
		g.pullBest(n, s)
	}
}

// pullBest makes the value that of the best visited child, if there is one.
func (g *graph) pullBest(n *node, s *stat) {
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

// drawsByChance tells whether chance moves in the node's position.
func (n *node) drawsByChance() bool {
	return n.position.SideToMove() == rules.Attacker && n.position.Rules().Chance()
}

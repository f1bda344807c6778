package players

import (
	"math"

	"versus2048/players/playout"
	"versus2048/rules"
)

// ucbSearch is a Monte-Carlo tree search with UCB1 (Auer, Cesa-Bianchi and
// Fischer 2002) as Oka, Matsuzaki and Haraguchi 2015 use it: the defender
// maximises the mean reward, the attacker minimises it.
type ucbSearch struct {
	graph
	leaves      evaluator
	exploration float64 // c of UCB1
	expandAt    int32   // playouts that a leaf has before it is expanded
	descent     descent // kept for the next search, like
	spare       graph   // what reroot copies into
}

// evaluator says what a leaf is worth.
type evaluator interface {
	// playouts makes one or more playouts from p. It returns the sum of their
	// rewards and their number.
	playouts(p rules.Position, random *playout.Generator) (total float64, n int32)
}

// descent is the way from the root to a leaf that a playout is made from.
type descent struct {
	path   []int32 // nodes, the root first
	taken  []int32 // edges between them
	random *playout.Generator
}

// leaf is the last node of the path.
func (d *descent) leaf() int32 { return d.path[len(d.path)-1] }

// start makes p the root and expands it.
func (s *ucbSearch) start(p rules.Position, random *playout.Generator) {
	s.reset(p)
	s.expand(0, random)
}

// step goes to a leaf, makes its playouts and returns their rewards and number.
// d is then the way to the leaf.
func (s *ucbSearch) step(d *descent) (total float64, playouts int32) {
	s.descend(d)
	total, playouts = s.leaves.playouts(s.nodes[d.leaf()].position, d.random)
	s.learn(d, total, playouts)
	return total, playouts
}

// learn adds what playouts gave, and expands their leaf when it has had enough.
func (s *ucbSearch) learn(d *descent, total float64, playouts int32) {
	switch s.backup {
	case ancestors:
		s.credit(d.path, total, playouts)
	case edges, minimax:
		s.creditEdges(d, total, playouts)
	}
	leaf := d.leaf()
	if n := &s.nodes[leaf]; n.degree == 0 && s.stats[leaf].visits >= s.expandAt {
		s.expand(leaf, d.random)
	}
}

// descend goes from the root to a leaf.
func (s *ucbSearch) descend(d *descent) {
	i, sign := int32(0), sign(s.nodes[0].position.SideToMove())
	d.path, d.taken = append(d.path[:0], i), d.taken[:0]
	for n := &s.nodes[i]; n.degree > 0; n = &s.nodes[i] {
		e := n.firstEdge
		if n.degree > 1 {
			e += s.choice(i, sign, d.random)
		}
		i, sign = s.edges[e].child, -sign
		d.path, d.taken = append(d.path, i), append(d.taken, e)
	}
}

// choice is the place of the edge by which the search goes on from a node, whose
// side to move wants high rewards or, with a sign of -1, low ones.
func (s *ucbSearch) choice(i int32, sign float64, random *playout.Generator) int32 {
	switch {
	case sign < 0 && s.nodes[i].drawsByChance():
		return s.drawn(&s.nodes[i], random)
	case s.backup == ancestors:
		return s.promising(i, sign)
	default:
		return s.promisingEdge(i, sign)
	}
}

// promising is the place of the edge that UCB1 prefers, that of an unvisited
// child before all others:
//
//	mean + c sqrt(2 ln n / n_j)
//
// is largest for the defender, and smallest with -c for the attacker. An
// unvisited child's width is infinite; so that its bound is too, the factor is
// never quite 0.
func (s *ucbSearch) promising(i int32, sign float64) int32 {
	at, stats := &s.stats[i], s.stats
	c := max(s.exploration*spread(at.visits+at.pending), 1e-300)
	best, bestBound := 0, math.Inf(-1)
	for k, e := range s.children(&s.nodes[i]) {
		child := &stats[e.child]
		if bound := sign*child.mean + c*child.width; bound > bestBound {
			best, bestBound = k, bound
		}
	}
	return int32(best)
}

// promisingEdge is promising where visits are counted by edges.
func (s *ucbSearch) promisingEdge(i int32, sign float64) int32 {
	c := s.exploration * spread(s.stats[i].visits)
	best, bestBound := 0, math.Inf(-1)
	for k, e := range s.children(&s.nodes[i]) {
		if e.visits == 0 {
			return int32(k)
		}
		if bound := sign*s.stats[e.child].mean + c*width(e.visits); bound > bestBound {
			best, bestBound = k, bound
		}
	}
	return int32(best)
}

// drawn is the place of the edge that chance draws.
func (s *ucbSearch) drawn(n *node, random *playout.Generator) int32 {
	edges := s.children(n)
	total := 0
	for _, e := range edges {
		total += int(e.weight)
	}
	rest := random.Below(total)
	i := 0
	for rest >= int(edges[i].weight) {
		rest -= int(edges[i].weight)
		i++
	}
	return int32(i)
}

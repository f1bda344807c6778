package players

import (
	"math"

	"versus2048/rules"
)

// ucbSearch is a Monte-Carlo tree search with UCB1 (Auer, Cesa-Bianchi and
// Fischer 2002) as Oka, Matsuzaki and Haraguchi 2015 use it: a playout's
// reward is the game's final score, and the attacker minimises.
type ucbSearch struct {
	graph
	exploration float64 // c of UCB1, in points
	expandAt    int32   // playouts that a leaf has before it is expanded
	descent     descent // kept for the next search, like
	spare       graph   // what reroot copies into
}

// descent is the way from the root to a leaf that a playout is made from.
type descent struct {
	path   []int32 // nodes, the root first
	random *generator
}

// leaf is the last node of the path.
func (d *descent) leaf() int32 { return d.path[len(d.path)-1] }

// start makes p the root and expands it.
func (s *ucbSearch) start(p rules.Position, random *generator) {
	s.reset(p)
	s.expand(0, random)
}

// step makes one playout and returns its reward. d is then the way to its leaf.
func (s *ucbSearch) step(d *descent) (reward int) {
	s.descend(d)
	reward = playout(s.nodes[d.leaf()].position, d.random)
	s.learn(d, reward)
	return reward
}

// learn adds a playout's reward, and expands its leaf when that has had enough.
func (s *ucbSearch) learn(d *descent, reward int) {
	s.credit(d.path, reward)
	leaf := d.leaf()
	if n := &s.nodes[leaf]; n.degree == 0 && s.stats[leaf].visits >= s.expandAt {
		s.expand(leaf, d.random)
	}
}

// descend goes from the root to a leaf.
func (s *ucbSearch) descend(d *descent) {
	i := int32(0)
	d.path = append(d.path[:0], i)
	for n := &s.nodes[i]; n.degree > 0; n = &s.nodes[i] {
		if n.position.SideToMove() == rules.Attacker && n.position.Rules().Chance() {
			i = s.drawn(n, d.random)
		} else {
			i = s.promising(i)
		}
		d.path = append(d.path, i)
	}
}

// promising is the child that UCB1 prefers, an unvisited one before all others:
//
//	mean + c sqrt(2 ln n / n_j)
//
// is largest for the defender, and smallest with -c for the attacker. An
// unvisited child's width is infinite; so that its bound is too, the factor is
// never quite 0.
func (s *ucbSearch) promising(i int32) int32 {
	n, at := &s.nodes[i], &s.stats[i]
	sign := sign(n.position.SideToMove())
	c := max(s.exploration*spread(at.visits+at.pending), 1e-300)
	best, bestBound := int32(none), math.Inf(-1)
	for _, e := range s.children(n) {
		child := &s.stats[e.child]
		if bound := sign*child.mean + c*child.width; bound > bestBound {
			best, bestBound = e.child, bound
		}
	}
	return best
}

// drawn is the child that chance draws.
func (s *ucbSearch) drawn(n *node, random *generator) int32 {
	edges := s.children(n)
	total := 0
	for _, e := range edges {
		total += int(e.weight)
	}
	rest := random.below(total)
	i := 0
	for rest >= int(edges[i].weight) {
		rest -= int(edges[i].weight)
		i++
	}
	return edges[i].child
}

// best is the edge to the root's move with the best mean. Without any playout it
// is a random one.
func (s *ucbSearch) best() edge { return s.children(&s.nodes[0])[s.bestEdge(0)] }

// bestEdge is the place among a node's edges of the one to the child with the
// best mean, 0 if none was visited.
func (s *ucbSearch) bestEdge(i int32) int {
	sign := sign(s.nodes[i].position.SideToMove())
	best, bestMean := 0, math.Inf(-1)
	for k, e := range s.children(&s.nodes[i]) {
		if child := &s.stats[e.child]; child.visits > 0 && sign*child.mean > bestMean {
			best, bestMean = k, sign*child.mean
		}
	}
	return best
}

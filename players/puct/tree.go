package puct

import (
	"math"

	"versus2048/rules"
)

// tree has the nodes and edges of a search, without the positions. Values may have any scale: larger ones are better
// for the maximiser. A simulation has the value of the whole game, from its start to its end. So each node of the
// simulation's path gets the same value, and a node's own value is the mean over the simulations through it.
type tree struct {
	config Config
	nodes  []node // the root first, and every other node after its parent
	edges  []edge
	bounds bounds // of the values of all nodes, earlier values included
}

// node is a position, or a state of a Model.
type node struct {
	sum     float64 // sum of the values backed up through it: W of the edge to it
	visits  int32   // finished simulations through it: N of the edge to it
	pending int32   // simulations through it that wait for the ratings of their leaves

	firstEdge int32 // index of the first of its edges
	degree    int16 // number of its edges; 0 until it is rated, and at the end of a game
	turn      turn
}

// edge is a move, or an outcome of chance in a Model.
type edge struct {
	prior  float32 // P: the probability of the move, by the network's policy or by chance
	node   int32   // the node at its end; the constant none before the first simulation through it
	action uint8   // the move, or the chance code
}

// none means no node, or no edge.
const none = -1

// turn is the side, or chance, that chooses at a node.
type turn uint8

const (
	maximiser turn = iota
	minimiser
	chance
)

// mean returns Q, the value of a visited node.
func (n *node) mean() float64 { return n.sum / float64(n.visits) }

// reset makes a tree with an unrated root.
func (t *tree) reset(root turn) {
	t.nodes = append(t.nodes[:0], node{turn: root})
	t.edges = t.edges[:0]
	t.bounds = noBounds
}

// edgesOf returns the edges of a node.
func (t *tree) edgesOf(i int32) []edge {
	n := &t.nodes[i]
	return t.edges[n.firstEdge : n.firstEdge+int32(n.degree)]
}

// path is the way of a simulation through the tree: the indices of its nodes, the root first.
type path []int32

// leaf returns the last node.
func (p path) leaf() int32 { return p[len(p)-1] }

// descend goes from the root to a node without edges and returns the way. If the last edge of the way had no node
// at its end yet, descend adds the node and returns the edge as via; otherwise via is none. The simulation counts as
// pending at the nodes on the way until backup.
func (t *tree) descend(way path) (_ path, via int32) {
	i, via := int32(0), int32(none)
	way = append(way[:0], 0)
	for t.nodes[i].degree > 0 && via == none {
		e := t.promising(i)
		if t.edges[e].node == none {
			t.edges[e].node = int32(len(t.nodes))
			t.nodes = append(t.nodes, node{})
			via = e
		}
		i = t.edges[e].node
		way = append(way, i)
	}
	t.reserve(way, 1)
	return way, via
}

// reserve counts a simulation as pending at the nodes on its way, if by is 1. If by is -1, it takes the simulation off
// the counts again.
func (t *tree) reserve(way path, by int32) {
	for _, i := range way {
		t.nodes[i].pending += by
	}
}

// expand gives a node its edges. The caller sets their priors.
func (t *tree) expand(i int32, actions []uint8) []edge {
	n := &t.nodes[i]
	n.firstEdge, n.degree = int32(len(t.edges)), int16(len(actions))
	for _, a := range actions {
		t.edges = append(t.edges, edge{node: none, action: a})
	}
	return t.edgesOf(i)
}

// backup ends a pending simulation, and adds its value to the nodes on its way.
func (t *tree) backup(way path, value float64) {
	t.reserve(way, -1)
	for _, i := range way {
		n := &t.nodes[i]
		n.sum += value
		n.visits++
		t.bounds.include(n.mean())
	}
}

// promising returns the edge that the search follows from a node: the edge with the largest
//
//	Q + c(s) P sqrt(N(s)) / (1 + N)
//
// (Silver et al. 2018). At a node of chance it is the edge that due returns. Q is scaled so that 1 is best for the
// side to move. A pending simulation counts as a visit with the worst value, so that simultaneous simulations take
// other ways (virtual loss, Chaslot et al. 2008). The conversion of a product to float64 keeps the compiler from
// joining the multiplication and the addition, which would round differently on some processors.
func (t *tree) promising(i int32) int32 {
	n := &t.nodes[i]
	if n.turn == chance {
		return t.due(i)
	}
	visits := float64(n.visits + n.pending)
	c := t.config.Init + math.Log((1+visits+t.config.Base)/t.config.Base)
	width, within := c*math.Sqrt(visits), t.scale(i)
	best, most := n.firstEdge, math.Inf(-1)
	for k, e := range t.edgesOf(i) {
		q, tried := 0.0, 0.0
		if e.node != none {
			q, tried = t.quality(e.node, n.turn, within)
		}
		if bound := q + float64(width*float64(e.prior))/(1+tried); bound > most {
			best, most = n.firstEdge+int32(k), bound
		}
	}
	return best
}

// quality returns the scaled value of a child for the side that chooses it, and the number of its visits.
// Pending simulations count as visits with the worst value.
func (t *tree) quality(child int32, by turn, within bounds) (q, tried float64) {
	n := &t.nodes[child]
	tried = float64(n.visits + n.pending)
	if n.visits > 0 {
		q = within.share(n.mean(), by) * float64(n.visits) / tried
	}
	return q, tried
}

// due returns, at a node of chance, the edge with the fewest visits in relation to its probability: the edge with the
// largest P / (N + 1) (Antonoglou et al. 2022, as in mctx).
func (t *tree) due(i int32) int32 {
	first := t.nodes[i].firstEdge
	best, most := first, math.Inf(-1)
	for k, e := range t.edgesOf(i) {
		tried := 1.0
		if e.node != none {
			tried += float64(t.nodes[e.node].visits + t.nodes[e.node].pending)
		}
		if quotient := float64(e.prior) / tried; quotient > most {
			best, most = first+int32(k), quotient
		}
	}
	return best
}

// scale returns the bounds that scale the values of a node's moves to numbers from 0 to 1. They are the bounds of the
// whole tree, or of the node and its children.
func (t *tree) scale(i int32) bounds {
	if t.config.Scaled == Tree {
		return t.bounds
	}
	b := noBounds
	b.include(t.nodes[i].mean())
	for _, e := range t.edgesOf(i) {
		if e.node != none && t.nodes[e.node].visits > 0 {
			b.include(t.nodes[e.node].mean())
		}
	}
	return b
}

// bounds are the smallest and the largest of some values.
type bounds struct{ low, high float64 }

// noBounds are the bounds of no values.
var noBounds = bounds{math.Inf(1), math.Inf(-1)}

func (b *bounds) include(v float64) { b.low, b.high = min(b.low, v), max(b.high, v) }

// share returns a value within bounds as a number from 0, the worst for a side, to 1. It returns 0 if all
// values are equal.
func (b bounds) share(v float64, by turn) float64 {
	span := b.high - b.low
	switch {
	case !(span > 1e-9):
		return 0
	case by == minimiser:
		return (b.high - v) / span
	}
	return (v - b.low) / span
}

// reroot makes a node of the position p the root, and keeps the nodes below it. If p has several rated nodes, it takes
// the most visited one. It returns false, and changes nothing, if p has no rated node that can be the root.
func (s *Search) reroot(p rules.Position) bool {
	root := int32(none)
	for i, known := range s.positions {
		if n := &s.tree.nodes[i]; known == p && n.degree > 0 && (root == none || n.visits > s.tree.nodes[root].visits) {
			root = int32(i)
		}
	}
	if root == none {
		return false
	}
	if s.tree.nodes[root].turn == chance && rootTurn(p) == minimiser {
		return false // the node's priors are probabilities of chance, but a root needs the attacker's policy
	}
	s.spare.config, s.spare.bounds = s.tree.config, noBounds
	s.spare.nodes, s.spare.edges, s.sparePositions = s.spare.nodes[:0], s.spare.edges[:0], s.sparePositions[:0]
	s.copyNode(root)
	for i := int32(0); int(i) < len(s.spare.nodes); i++ {
		s.copyEdges(i)
	}
	s.tree, s.spare = s.spare, s.tree
	s.positions, s.sparePositions = s.sparePositions, s.positions
	return true
}

// copyNode appends a node to the spare tree. Its edges still belong to the old tree.
func (s *Search) copyNode(i int32) int32 {
	s.spare.nodes = append(s.spare.nodes, s.tree.nodes[i])
	s.sparePositions = append(s.sparePositions, s.positions[i])
	s.spare.bounds.include(s.tree.nodes[i].mean())
	return int32(len(s.spare.nodes) - 1)
}

// copyEdges appends the edges of a node of the spare tree, and the nodes at their ends.
func (s *Search) copyEdges(i int32) {
	n := s.spare.nodes[i]
	first := int32(len(s.spare.edges))
	s.spare.edges = append(s.spare.edges, s.tree.edges[n.firstEdge:n.firstEdge+int32(n.degree)]...)
	s.spare.nodes[i].firstEdge = first
	for e := first; e < int32(len(s.spare.edges)); e++ {
		if old := s.spare.edges[e].node; old != none {
			s.spare.edges[e].node = s.copyNode(old)
		}
	}
}

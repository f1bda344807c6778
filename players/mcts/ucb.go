package mcts

import (
	"math"

	"versus2048/players/playout"
	"versus2048/rules"
)

// ucb is a Monte-Carlo tree search with UCB1 (Auer, Cesa-Bianchi and Fischer 2002) as Oka, Matsuzaki
// and Haraguchi 2015 use it: the defender maximises the mean reward, the attacker minimises it.
type ucb struct {
	graph       graph
	leaves      evaluator
	exploration float64 // c of UCB1
	expandAt    int32   // playouts from a leaf before it is expanded
	descent     descent // kept to reuse its memory
	spare       graph   // the graph that reroot copies into, kept to reuse its memory
}

// evaluator rates a leaf.
type evaluator interface {
	// playouts makes one or more playouts from p and returns the sum of their rewards and their
	// number.
	playouts(p rules.Position, random *playout.Generator) (total float64, n int32)
}

// descent is the path from the root to the leaf of a playout.
type descent struct {
	path   []int32 // nodes, the root first
	edges  []int32 // between them
	random *playout.Generator
}

// leaf returns the last node of the path.
func (d *descent) leaf() int32 { return d.path[len(d.path)-1] }

// start makes p the root of an empty graph and expands it.
func (s *ucb) start(p rules.Position, random *playout.Generator) {
	s.graph.empty()
	s.graph.node(p)
	s.graph.expand(0, random)
}

// reroot makes the node of p the root and keeps all nodes below it. It returns false and changes nothing if p
// has no node.
func (s *ucb) reroot(p rules.Position, random *playout.Generator) bool {
	root := s.graph.mostVisited(p)
	if root == none {
		return false
	}
	s.graph, s.spare = s.spare.emptied(&s.graph), s.graph
	s.graph.copyFrom(&s.spare, root)
	if s.graph.degrees[0] == 0 {
		s.graph.expand(0, random)
	}
	return true
}

// step descends to a leaf, makes its playouts and learns from them. It returns the sum of their
// rewards and their number, and leaves the path in d.
func (s *ucb) step(d *descent) (total float64, playouts int32) {
	s.descend(d)
	total, playouts = s.leaves.playouts(s.graph.positions[d.leaf()], d.random)
	s.learn(d, total, playouts)
	return total, playouts
}

// learn adds the result of playouts to the graph, and expands their leaf after enough playouts.
func (s *ucb) learn(d *descent, total float64, playouts int32) {
	g := &s.graph
	switch g.backup {
	case Ancestors:
		g.credit(d.path, total, playouts)
	case Edges, Minimax:
		g.creditEdges(d, total, playouts)
	}
	leaf := d.leaf()
	if g.degrees[leaf] == 0 && g.finished(leaf) >= s.expandAt {
		g.expand(leaf, d.random)
	}
}

// descend goes from the root to a leaf.
func (s *ucb) descend(d *descent) {
	g := &s.graph
	i, sign := int32(0), sign(g.positions[0].SideToMove())
	d.path, d.edges = append(d.path[:0], i), d.edges[:0]
	chance := g.byChance()
	for g.degrees[i] > 0 {
		e := g.nodes[i].firstEdge
		switch {
		case g.degrees[i] == 1:
		case chance && sign < 0:
			e += g.drawEdge(i, d.random)
		case g.backup == Ancestors:
			e += s.promising(i, sign)
		default:
			e += s.promisingEdge(i, sign)
		}
		i, sign = g.children[e], -sign
		d.path, d.edges = append(d.path, i), append(d.edges, e)
	}
}

// promising returns the index of the edge that UCB1 prefers. For the defender it is the child with the largest
//
//	mean + c sqrt(2 ln n / n_j)
//
// and for the attacker, with -c instead of c, the child with the smallest. The width 1/sqrt(n_j) of an
// unvisited child is infinite, so that it comes before all others. The factor of the width is never exactly 0,
// because 0 times infinity is not infinite. It is so large that reserved stays below all other bounds.
//
// The conversion to float64 forbids a combined multiplication and addition, which would round differently on
// some processors: the same seed gives the same search on every machine.
func (s *ucb) promising(i int32, sign float64) int32 {
	nodes := s.graph.nodes
	c := max(s.exploration*spread(nodes[i].visits), 1e-30)
	best, bestKey := 0, int64(math.MinInt64)
	for k, child := range s.graph.childrenOf(i) {
		n := &nodes[child]
		if key := ordered(sign*n.mean + float64(c*n.width)); key > bestKey {
			best, bestKey = k, key
		}
	}
	return int32(best)
}

// ordered maps numbers to integers in the same order, so that the larger one can be chosen without a branch,
// which a processor could not predict.
func ordered(x float64) int64 {
	b := int64(math.Float64bits(x))
	return b ^ int64(uint64(b>>63)>>1)
}

// promisingEdge is promising for graphs that count visits by edges.
func (s *ucb) promisingEdge(i int32, sign float64) int32 {
	nodes := s.graph.nodes
	c := s.exploration * spread(nodes[i].visits)
	passes := s.graph.passes[nodes[i].firstEdge:]
	best, bestBound := 0, math.Inf(-1)
	for k, child := range s.graph.childrenOf(i) {
		if passes[k] == 0 {
			return int32(k)
		}
		if bound := sign*nodes[child].mean + float64(c*width(passes[k])); bound > bestBound {
			best, bestBound = k, bound
		}
	}
	return int32(best)
}

// unvisited is a width above every bound, so that the node is visited first. reserved is below every bound. It
// is the width of a node that another thread is about to visit for the first time.
var unvisited, reserved = math.Inf(1), -math.MaxFloat64 / 1e30

// sign returns 1 for the defender, who wants high rewards, and -1 for the attacker.
func sign(side rules.Side) float64 {
	if side == rules.Defender {
		return 1
	}
	return -1
}

// spread returns sqrt(2 ln visits), and width returns 1/sqrt(visits): the two parts of UCB1's bound. Tables have
// both for the usual numbers of playouts.
func spread(visits int32) float64 {
	if int(visits) < len(spreads) {
		return spreads[visits]
	}
	return math.Sqrt(2 * math.Log(float64(visits)))
}

func width(visits int32) float64 {
	if int(visits) < len(widths) {
		return widths[visits]
	}
	return 1 / math.Sqrt(float64(visits))
}

// The tables are computed once and never change. They are set in place: arrays of this size that a function returns
// would take half a megabyte of stack in every program.
var spreads, widths [1 << 14]float64

func init() {
	for i := 1; i < len(spreads); i++ {
		spreads[i] = math.Sqrt(2 * math.Log(float64(i)))
		widths[i] = 1 / math.Sqrt(float64(i))
	}
}

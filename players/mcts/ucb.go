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
	expandAt    int32   // playouts that a leaf has before it is expanded
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
	taken  []int32 // edges between them
	random *playout.Generator
}

// leaf returns the last node of the path.
func (d *descent) leaf() int32 { return d.path[len(d.path)-1] }

// start makes p the root of an empty graph and expands it.
func (s *ucb) start(p rules.Position, random *playout.Generator) {
	s.graph.reset(p)
	s.graph.expand(0, random)
}

// reroot makes the node of p the root and keeps what can be reached from it. It returns false and
// changes nothing if there is no such node.
func (s *ucb) reroot(p rules.Position, random *playout.Generator) bool {
	root := s.graph.mostVisited(p)
	if root == none {
		return false
	}
	s.graph, s.spare = s.spare.emptied(&s.graph), s.graph
	s.graph.copyFrom(&s.spare, root)
	if s.graph.nodes[0].degree == 0 {
		s.graph.expand(0, random)
	}
	return true
}

// step descends to a leaf, makes its playouts and learns from them. It returns the sum of their
// rewards and their number, and leaves the path in d.
func (s *ucb) step(d *descent) (total float64, playouts int32) {
	s.descend(d)
	total, playouts = s.leaves.playouts(s.graph.nodes[d.leaf()].position, d.random)
	s.learn(d, total, playouts)
	return total, playouts
}

// learn adds the result of playouts to the graph, and expands their leaf when it has had enough.
func (s *ucb) learn(d *descent, total float64, playouts int32) {
	g := &s.graph
	switch g.backup {
	case Ancestors:
		g.credit(d.path, total, playouts)
	case Edges, Minimax:
		g.creditEdges(d, total, playouts)
	}
	leaf := d.leaf()
	if n := &g.nodes[leaf]; n.degree == 0 && g.stats[leaf].visits >= s.expandAt {
		g.expand(leaf, d.random)
	}
}

// descend goes from the root to a leaf.
func (s *ucb) descend(d *descent) {
	g := &s.graph
	i, sign := int32(0), sign(g.nodes[0].position.SideToMove())
	d.path, d.taken = append(d.path[:0], i), d.taken[:0]
	for n := &g.nodes[i]; n.degree > 0; n = &g.nodes[i] {
		e := n.firstEdge
		if n.degree > 1 {
			e += s.choice(i, sign, d.random)
		}
		i, sign = g.edges[e].child, -sign
		d.path, d.taken = append(d.path, i), append(d.taken, e)
	}
}

// choice returns the index, among a node's edges, of the one that a descent follows. The side to move
// wants high rewards, or low ones if sign is -1.
func (s *ucb) choice(i int32, sign float64, random *playout.Generator) int32 {
	switch {
	case sign < 0 && s.graph.nodes[i].drawsByChance():
		return s.graph.drawEdge(&s.graph.nodes[i], random)
	case s.graph.backup == Ancestors:
		return s.promising(i, sign)
	default:
		return s.promisingEdge(i, sign)
	}
}

// promising returns the index of the edge that UCB1 prefers: for the defender the child with the
// largest
//
//	mean + c sqrt(2 ln n / n_j)
//
// and for the attacker, with -c instead of c, the child with the smallest. The width 1/sqrt(n_j) of an
// unvisited child is infinite, so that it comes before all others. The factor of the width is never
// quite 0, because 0 times infinity would not be infinite.
func (s *ucb) promising(i int32, sign float64) int32 {
	stats := s.graph.stats
	at := &stats[i]
	c := max(s.exploration*spread(at.visits+at.pending), 1e-300)
	best, bestBound := 0, math.Inf(-1)
	for k, e := range s.graph.children(&s.graph.nodes[i]) {
		child := &stats[e.child]
		if bound := sign*child.mean + c*child.width; bound > bestBound {
			best, bestBound = k, bound
		}
	}
	return int32(best)
}

// promisingEdge is promising where visits are counted by edges.
func (s *ucb) promisingEdge(i int32, sign float64) int32 {
	stats := s.graph.stats
	c := s.exploration * spread(stats[i].visits)
	best, bestBound := 0, math.Inf(-1)
	for k, e := range s.graph.children(&s.graph.nodes[i]) {
		if e.visits == 0 {
			return int32(k)
		}
		if bound := sign*stats[e.child].mean + c*width(e.visits); bound > bestBound {
			best, bestBound = k, bound
		}
	}
	return int32(best)
}

// stat is the result of the playouts through a node, with what UCB1 needs ready for use.
type stat struct {
	total   float64 // sum of the playouts' rewards
	visits  int32   // number of playouts
	pending int32   // playouts under way in other threads
	mean    float64 // total/visits
	width   float64 // 1/sqrt(visits+pending), or as in unvisited and reserved
}

// unvisited is above every bound, so that the node is visited first. reserved, for a node that another
// thread is about to visit for the first time, is below every bound.
var (
	unvisited = stat{width: math.Inf(1)}
	reserved  = stat{width: -math.MaxFloat64 / 1e30, pending: 1}
)

// credit adds the result of playouts.
func (s *stat) credit(total float64, playouts int32) {
	s.total += total
	s.visits += playouts
	s.mean = s.total / float64(s.visits)
	s.width = width(s.visits + s.pending)
}

// reserve notes that a playout begins, or with -1 that it has ended.
func (s *stat) reserve(playouts int32) {
	s.pending += playouts
	switch {
	case s.visits > 0:
		s.width = width(s.visits + s.pending)
	case s.pending > 0:
		s.width = reserved.width
	default:
		s.width = unvisited.width
	}
}

// sign returns 1 for the defender, who wants high rewards, and -1 for the attacker.
func sign(side rules.Side) float64 {
	if side == rules.Defender {
		return 1
	}
	return -1
}

// spread returns sqrt(2 ln visits) and width 1/sqrt(visits), the two parts of UCB1's bound. Tables
// have them for the usual numbers of playouts.
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

var spreads, widths = newUCBTables()

func newUCBTables() (spreads, widths [1 << 14]float64) {
	for i := 1; i < len(spreads); i++ {
		spreads[i] = math.Sqrt(2 * math.Log(float64(i)))
		widths[i] = 1 / math.Sqrt(float64(i))
	}
	return spreads, widths
}

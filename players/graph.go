package players

import "versus2048/rules"

// graph holds the positions that a Monte-Carlo search has met and what their
// playouts gave. The root is node 0. Nodes, edges and links lie in slices and
// refer to each other by index: about 100 bytes a node, and no pointers for
// the garbage collector to follow.
type graph struct {
	nodes []node
	edges []edge
	links []link
	// shared finds the node of a position. A nil map shares nothing: the graph
	// is a tree.
	shared    map[rules.Position]int32
	canonical bool // nodes are positions up to symmetry
	playouts  int32
	open      []int32 // ancestors still to go through, kept for reuse
}

// node is a position with the playouts through it.
type node struct {
	position    rules.Position
	total       int64 // sum of the playouts' final scores
	visits      int32 // number of playouts
	lastPlayout int32 // number of the last playout that was added, from 1
	firstEdge   int32
	parents     int32 // first link, or none
	degree      uint8 // number of edges, 0 for a leaf
}

// edge leads from a node to a child.
type edge struct {
	child  int32
	move   rules.Move // one of the moves that lead there
	weight uint8      // how often chance draws these moves, see chanceWeight
}

// link is an entry of a node's list of parents.
type link struct{ parent, next int32 }

const none = -1

// mean is the average final score of the playouts, of which there must be one.
func (n *node) mean() float64 { return float64(n.total) / float64(n.visits) }

// children are the edges of a node.
func (g *graph) children(n *node) []edge {
	return g.edges[n.firstEdge:][:n.degree]
}

// node finds or adds the node of a position.
func (g *graph) node(p rules.Position) int32 {
	if g.canonical {
		p, _ = p.Canonical()
	}
	if i, ok := g.shared[p]; ok {
		return i
	}
	i := int32(len(g.nodes))
	g.nodes = append(g.nodes, node{position: p, parents: none})
	if g.shared != nil {
		g.shared[p] = i
	}
	return i
}

// expand gives a leaf all its children, in random order. Moves that lead to
// the same node share one edge.
func (g *graph) expand(i int32, random *generator) {
	p := g.nodes[i].position
	moves := p.AppendMoves(make([]rules.Move, 0, 32))
	random.shuffle(moves)
	first := len(g.edges)
	for _, m := range moves {
		child := g.node(p.Next(m))
		weight := uint8(chanceWeight(p.Rules(), m))
		if e := findEdge(g.edges[first:], child); e != nil {
			e.weight += weight
			continue
		}
		g.edges = append(g.edges, edge{child, m, weight})
		g.links = append(g.links, link{i, g.nodes[child].parents})
		g.nodes[child].parents = int32(len(g.links) - 1)
	}
	n := &g.nodes[i]
	n.firstEdge, n.degree = int32(first), uint8(len(g.edges)-first)
}

func findEdge(edges []edge, child int32) *edge {
	for i := range edges {
		if edges[i].child == child {
			return &edges[i]
		}
	}
	return nil
}

// add adds a playout to a node and to each of its ancestors once, whichever
// and however many ways lead to them.
func (g *graph) add(i int32, score int) {
	g.playouts++
	g.meet(i)
	for len(g.open) > 0 {
		n := &g.nodes[g.open[len(g.open)-1]]
		g.open = g.open[:len(g.open)-1]
		n.total += int64(score)
		n.visits++
		for l := n.parents; l != none; l = g.links[l].next {
			g.meet(g.links[l].parent)
		}
	}
}

// meet opens a node unless the current playout has met it already.
func (g *graph) meet(i int32) {
	if n := &g.nodes[i]; n.lastPlayout != g.playouts {
		n.lastPlayout = g.playouts
		g.open = append(g.open, i)
	}
}

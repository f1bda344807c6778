package players

import (
	"versus2048/players/playout"
	"versus2048/rules"
)

// graph holds the positions that a Monte-Carlo search has met and what their
// playouts gave. The root is node 0. Nodes, edges and parents lie in slices and
// refer to each other by index, so that there are no pointers for the garbage
// collector to follow and no allocation once the slices have grown. A node takes
// 40 bytes, its statistics 32 and the edge to it 12; where nodes are shared
// another 4 for its mark, about 8 for each parent and 8 to 16 in the table.
type graph struct {
	nodes []node
	stats []stat // of each node: apart, so that what a choice reads lies close together
	edges []edge
	own   []ownPlayouts // of each node, where playouts are counted by edges, else nil
	// What shares nodes. Without a table the graph is a tree, in which the path
	// to a node is its only ancestry.
	table     *nodeTable
	canonical bool     // nodes are positions up to symmetry
	parents   []int32  // see adopt
	marks     []uint32 // of each node: the last round in which it was credited
	round     uint32
	open      []int32 // ancestors still to go through, kept for reuse

	backup backup
	limit  int // nodes are not expanded beyond so many
	moves  []rules.Move
}

// node is a position and its neighbours.
type node struct {
	position    rules.Position
	firstEdge   int32
	firstParent int32
	parents     int32 // number of parents, where nodes are shared
	degree      uint8 // number of edges, 0 for a leaf
}

// edge leads from a node to a child.
type edge struct {
	child  int32
	visits int32      // playouts through the edge, where they are counted by edges
	move   rules.Move // one of the moves that lead there
	weight uint8      // how often chance draws these moves, see chanceWeight
}

const none = -1

// reset empties the graph and makes p its root.
func (g *graph) reset(p rules.Position) {
	g.empty()
	g.node(p)
}

func (g *graph) empty() {
	g.nodes, g.stats, g.edges, g.own = g.nodes[:0], g.stats[:0], g.edges[:0], g.own[:0]
	g.parents, g.marks, g.round = g.parents[:0], g.marks[:0], 0
	if g.table != nil {
		g.table.empty()
	}
}

// children are the edges of a node.
func (g *graph) children(n *node) []edge {
	return g.edges[n.firstEdge:][:n.degree]
}

// node finds or adds the node of a position.
func (g *graph) node(p rules.Position) int32 {
	if g.canonical {
		p = p.Canonical()
	}
	return g.add(node{position: p}, unvisited)
}

// add adds a node and its statistics, unless its position has a node already.
// Either way it returns the number of the position's node.
func (g *graph) add(n node, s stat) int32 {
	i := int32(len(g.nodes))
	if g.table != nil {
		if known := g.table.add(g.nodes, n.position, i); known != none {
			return known
		}
		g.marks = append(g.marks, 0)
	}
	g.nodes = append(g.nodes, n)
	g.stats = append(g.stats, s)
	if g.backup != ancestors {
		g.own = append(g.own, ownPlayouts{})
	}
	return i
}

// mostMoves is how many moves a position can have: 16 cells, two tiles.
const mostMoves = 32

// expand gives a leaf all its children, in random order, if they fit within the
// limit. Moves that lead to the same node share one edge.
func (g *graph) expand(i int32, random *playout.Generator) {
	if len(g.nodes)+mostMoves > g.limit {
		return
	}
	p := g.nodes[i].position
	g.moves = p.AppendMoves(g.moves[:0])
	random.Shuffle(g.moves)
	first := len(g.edges)
	for _, m := range g.moves {
		child := g.node(p.Next(m))
		weight := uint8(playout.ChanceWeight(p.Rules(), m))
		if e := g.edgeTo(first, child); e != nil {
			e.weight += weight
			continue
		}
		g.edges = append(g.edges, edge{child: child, move: m, weight: weight})
		g.adopt(child, i)
	}
	n := &g.nodes[i]
	n.firstEdge, n.degree = int32(first), uint8(len(g.edges)-first)
}

// edgeTo is the edge to child among those from first on, nil if there is none.
func (g *graph) edgeTo(first int, child int32) *edge {
	if g.table == nil {
		return nil // every child is new
	}
	for i := range g.edges[first:] {
		if e := &g.edges[first+i]; e.child == child {
			return e
		}
	}
	return nil
}

// adopt adds a parent to a node, where nodes are shared. A node's parents lie
// side by side, with room for a power of two of them; when that is used up they
// move to the end and leave a gap.
func (g *graph) adopt(child, parent int32) {
	if g.table == nil {
		return
	}
	n := &g.nodes[child]
	if n.parents&(n.parents-1) == 0 {
		first := int32(len(g.parents))
		g.parents = append(g.parents, g.parentsOf(n)...)
		g.parents = append(g.parents, make([]int32, max(1, n.parents))...)
		n.firstParent = first
	}
	g.parents[n.firstParent+n.parents] = parent
	n.parents++
}

func (g *graph) parentsOf(n *node) []int32 { return g.parents[n.firstParent:][:n.parents] }

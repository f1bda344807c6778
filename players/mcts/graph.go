package mcts

import (
	"math/bits"

	"versus2048/players/playout"
	"versus2048/rules"
)

// graph holds the positions that a Monte-Carlo search has met and the results of their playouts. The
// root is node 0. Nodes, edges and parents lie in slices and refer to each other by index, so that
// the garbage collector has no pointers to follow and nothing is allocated once the slices have
// grown. A node takes 40 bytes, its statistics 32 and the edge to it 12. Where nodes are shared it
// takes another 4 for its mark, about 8 for each parent and 8 to 16 in the table.
type graph struct {
	nodes []node
	stats []stat // of each node; not in node, so that what a choice reads lies close together
	edges []edge
	own   []ownPlayouts // of each node, where playouts are counted by edges; otherwise nil

	// These fields are for sharing nodes. Without a table the graph is a tree, in which the path to a
	// node has all its ancestors.
	table     *nodeTable
	canonical bool     // nodes are positions up to symmetry
	parents   []int32  // see adopt
	marks     []uint32 // of each node: the last round in which it was credited
	round     uint32
	open      []int32 // ancestors still to visit, kept to reuse its memory

	backup Backup
	limit  int // most nodes that the graph may have
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
	move   rules.Move // one of the moves to the child
	weight uint8      // the sum of the moves' playout.ChanceWeight
}

// none stands for no node.
const none = -1

// reset empties the graph and makes p its root.
func (g *graph) reset(p rules.Position) {
	g.empty()
	g.node(p)
}

// empty removes all nodes and keeps the memory.
func (g *graph) empty() {
	g.nodes, g.stats, g.edges, g.own = g.nodes[:0], g.stats[:0], g.edges[:0], g.own[:0]
	g.parents, g.marks, g.round = g.parents[:0], g.marks[:0], 0
	if g.table != nil {
		g.table.empty()
	}
}

// children returns the edges of a node.
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

// add adds a node and its statistics, unless its position already has a node. It returns the number of
// the position's node.
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
	if g.backup != Ancestors {
		g.own = append(g.own, ownPlayouts{})
	}
	return i
}

// mostMoves is how many moves a position can have: 16 cells, two tiles.
const mostMoves = 32

// mostIndex keeps the indices of edges and parents within an int32, with room for an expansion. Only
// where nodes are shared can a graph within its limit of nodes reach it.
const mostIndex = 1 << 30

// expand adds all children of a leaf, in random order, if they fit within the limit. Moves to the
// same node share one edge.
func (g *graph) expand(i int32, random *playout.Generator) {
	if len(g.nodes)+mostMoves > g.limit || len(g.edges) > mostIndex || len(g.parents) > mostIndex {
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

// edgeTo returns the edge to child among those from first on, nil if there is none.
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

// adopt adds a parent to a node, where nodes are shared. The parents of a node lie side by side, with
// room for a power of two. When that is full they move to the end and leave a gap.
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

// drawEdge returns the index of the edge of n that chance draws.
func (g *graph) drawEdge(n *node, random *playout.Generator) int32 {
	edges := g.children(n)
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

// mostVisited returns the node of p, or none. In a tree p may have several nodes: it returns the most
// visited one.
func (g *graph) mostVisited(p rules.Position) int32 {
	if len(g.nodes) == 0 || g.nodes[0].position.Ply() >= p.Ply() {
		return none
	}
	if g.canonical {
		p = p.Canonical()
	}
	level, next := []int32{0}, []int32(nil)
	for range p.Ply() - g.nodes[0].position.Ply() {
		next = next[:0]
		for _, i := range level {
			for _, e := range g.children(&g.nodes[i]) {
				next = append(next, e.child)
			}
		}
		level, next = next, level
	}
	best := int32(none)
	for _, i := range level {
		if g.nodes[i].position == p && (best == none || g.stats[i].visits > g.stats[best].visits) {
			best = i
		}
	}
	return best
}

// emptied returns a graph without nodes that has the memory of g and the settings of other.
func (g *graph) emptied(other *graph) graph {
	out := *g
	out.table, out.canonical, out.backup, out.limit = other.table, other.canonical, other.backup, other.limit
	out.empty()
	return out
}

// copyFrom copies a node of another graph, as root, and all nodes that can be reached from it.
func (g *graph) copyFrom(old *graph, root int32) {
	numbers := make([]int32, len(old.nodes)) // new numbers plus 1, 0 for not copied
	order := []int32{root}                   // old numbers by new ones
	numbers[root] = g.copyNode(old, root) + 1
	for k := 0; k < len(order); k++ {
		g.nodes[k].firstEdge = int32(len(g.edges))
		for _, e := range old.children(&old.nodes[order[k]]) {
			if numbers[e.child] == 0 {
				numbers[e.child] = g.copyNode(old, e.child) + 1
				order = append(order, e.child)
			}
			e.child = numbers[e.child] - 1
			g.edges = append(g.edges, e)
			g.adopt(e.child, int32(k))
		}
	}
}

// copyNode adds a copy of a node of another graph, still without parents.
func (g *graph) copyNode(old *graph, i int32) int32 {
	n := old.nodes[i]
	n.firstParent, n.parents = 0, 0
	copied := g.add(n, old.stats[i])
	if g.own != nil {
		g.own[copied] = old.own[i]
	}
	return copied
}

// nodeTable finds nodes by position. It is a hash table with linear probing, at most half full, that
// keeps its memory from search to search. A slot takes 4 bytes.
type nodeTable struct {
	slots []int32 // a power of two: a node's number plus 1, 0 if free
	used  int
}

const leastSlots = 1 << 10

// empty forgets all nodes.
func (t *nodeTable) empty() {
	if t.slots == nil {
		t.slots = make([]int32, leastSlots)
	}
	clear(t.slots)
	t.used = 0
}

// add makes i the node of p and returns none. If p already has a node in nodes, it changes nothing and
// returns that node.
func (t *nodeTable) add(nodes []node, p rules.Position, i int32) int32 {
	if 2*t.used >= len(t.slots) {
		t.grow(nodes)
	}
	slot, known := t.find(nodes, p)
	if known == none {
		t.slots[slot] = i + 1
		t.used++
	}
	return known
}

// find returns the node of p, or none, and the slot where it is or would be.
func (t *nodeTable) find(nodes []node, p rules.Position) (slot int, known int32) {
	mask := len(t.slots) - 1
	slot = int(hash(p) >> (64 - bits.Len(uint(mask))))
	for t.slots[slot] != 0 {
		if i := t.slots[slot] - 1; nodes[i].position == p {
			return slot, i
		}
		slot = (slot + 1) & mask
	}
	return slot, none
}

// grow doubles the number of slots.
func (t *nodeTable) grow(nodes []node) {
	old := t.slots
	t.slots = make([]int32, 2*len(old))
	for _, i := range old {
		if i != 0 {
			slot, _ := t.find(nodes, nodes[i-1].position)
			t.slots[slot] = i
		}
	}
}

// hash spreads positions by board and score, which distinguish the positions of one search: under
// rules that place 4s equal boards may have different scores.
func hash(p rules.Position) uint64 {
	h := uint64(p.Board()) ^ uint64(p.Score())<<32
	h = (h ^ h>>32) * 0x9E37_79B9_7F4A_7C15
	return (h ^ h>>29) * 0xBF58_476D_1CE4_E5B9
}

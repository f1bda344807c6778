package mcts

import (
	"math/bits"
	"slices"

	"versus2048/players/playout"
	"versus2048/rules"
)

// graph holds the positions that a Monte-Carlo search has met and the results of their playouts. The root is
// node 0. All data are in slices and refer to each other by index, so that the garbage collector has no
// pointers to follow and nothing is allocated after the slices have grown.
type graph struct {
	nodes     []node           // of each node: the data for choices
	degrees   []uint8          // of each node: the number of edges, 0 for a leaf
	above     []span           // of each node, if nodes are shared: its parents
	positions []rules.Position // of each node
	own       []ownPlayouts    // of each node, if playouts are counted by edges; otherwise nil
	pending   pendings

	// The edges of a node lie side by side.
	children []int32 // of each edge: the node below it
	ways     []way   // of each edge
	passes   []int32 // of each edge, if playouts are counted by edges: playouts through it; otherwise nil

	// These fields are for sharing nodes. Without a table the graph is a tree; then the path to a node has all
	// its ancestors.
	table     *nodeTable
	canonical bool     // whether equal positions under a symmetry share a node
	parents   []int32  // see adopt
	marks     []uint32 // of each node: the last round that credited it
	round     uint32
	open      []int32 // ancestors still to visit, kept to reuse its memory

	backup  Backup
	threads int // number of threads that search; 0 means 1
	limit   int // largest number of nodes in the graph
	moves   []rules.Move
}

// node is the result of the playouts through a position, with the terms of UCB1 precomputed, and the place of
// its edges.
type node struct {
	mean   float64 // of the finished playouts; see recompute if playouts are counted by edges
	width  float64 // 1/sqrt(visits), or unvisited or reserved; only for Ancestors
	total  float64 // sum of the playouts' rewards; only for Ancestors
	visits int32   // number of playouts, including unfinished ones of other threads
	// firstEdge is the index of the node's first edge.
	firstEdge int32
}

// span is a part of a slice.
type span struct{ first, length int32 }

// way is the set of moves along an edge.
type way struct {
	move   rules.Move // one of the moves
	weight uint8      // the sum of their playout.ChanceWeight
}

// none stands for no node.
const none = -1

// empty removes all nodes and keeps the memory.
func (g *graph) empty() {
	g.nodes, g.degrees, g.positions = g.nodes[:0], g.degrees[:0], g.positions[:0]
	g.own, g.pending, g.above = g.own[:0], g.pending[:0], g.above[:0]
	g.children, g.ways, g.passes = g.children[:0], g.ways[:0], g.passes[:0]
	g.parents, g.marks, g.round = g.parents[:0], g.marks[:0], 0
	if g.table != nil {
		g.table.empty()
	}
}

// childrenOf returns the children of a node, in the order of its edges.
func (g *graph) childrenOf(i int32) []int32 {
	return g.children[g.nodes[i].firstEdge:][:g.degrees[i]]
}

// node finds or adds the node of a position.
func (g *graph) node(p rules.Position) int32 {
	if g.canonical {
		p = p.Canonical()
	}
	return g.add(p)
}

// add adds a node without playouts, unless its position already has a node. It returns the number of
// the position's node.
func (g *graph) add(p rules.Position) int32 {
	i := int32(len(g.nodes))
	if g.table != nil {
		if known := g.table.add(g.positions, p, i); known != none {
			return known
		}
		g.marks = append(g.marks, 0)
		g.above = append(g.above, span{})
	}
	g.nodes = append(g.nodes, node{width: unvisited})
	g.degrees = append(g.degrees, 0)
	g.positions = append(g.positions, p)
	if g.backup != Ancestors {
		g.own = append(g.own, ownPlayouts{})
	}
	if g.threads > 1 {
		g.pending = append(g.pending, 0)
	}
	return i
}

// mostMoves is the largest number of moves in a position: 16 cells, two tiles.
const mostMoves = 32

// mostIndex keeps the indices of edges and parents within an int32, with room for an expansion. A graph within
// its limit of nodes can reach it only if nodes are shared.
const mostIndex = 1 << 30

// expand adds all children of a leaf, in random order, if they fit within the limit. Moves to the same node
// share one edge.
func (g *graph) expand(i int32, random *playout.Generator) {
	if len(g.nodes)+mostMoves > g.limit || len(g.children) > mostIndex || len(g.parents) > mostIndex {
		return
	}
	p := g.positions[i]
	g.moves = p.AppendMoves(g.moves[:0])
	random.Shuffle(g.moves)
	first := len(g.children)
	for _, m := range g.moves {
		child := g.node(p.Next(m))
		weight := uint8(playout.ChanceWeight(p.Rules(), m))
		if e := g.edgeTo(first, child); e != none {
			g.ways[e].weight += weight
			continue
		}
		g.addEdge(child, way{m, weight}, 0)
		g.adopt(child, i)
	}
	g.nodes[i].firstEdge, g.degrees[i] = int32(first), uint8(len(g.children)-first)
}

// addEdge adds an edge; passes is the number of playouts through it.
func (g *graph) addEdge(child int32, w way, passes int32) {
	g.children = append(g.children, child)
	g.ways = append(g.ways, w)
	if g.backup != Ancestors {
		g.passes = append(g.passes, passes)
	}
}

// edgeTo returns the edge to child among the edges from first on, or none.
func (g *graph) edgeTo(first int, child int32) int {
	if g.table == nil {
		return none // every child is new
	}
	if k := slices.Index(g.children[first:], child); k >= 0 {
		return first + k
	}
	return none
}

// adopt adds a parent to a node, if nodes are shared. The parents of a node lie side by side, with room for a
// power of two. When there is no room left, they move to the end and leave a gap.
func (g *graph) adopt(child, parent int32) {
	if g.table == nil {
		return
	}
	s := &g.above[child]
	if s.length&(s.length-1) == 0 {
		first := int32(len(g.parents))
		g.parents = append(g.parents, g.parentsOf(child)...)
		g.parents = append(g.parents, make([]int32, max(1, s.length))...)
		s.first = first
	}
	g.parents[s.first+s.length] = parent
	s.length++
}

func (g *graph) parentsOf(i int32) []int32 { return g.parents[g.above[i].first:][:g.above[i].length] }

// drawEdge draws one of a node's edges by chance, and returns its index among them.
func (g *graph) drawEdge(i int32, random *playout.Generator) int32 {
	ways := g.ways[g.nodes[i].firstEdge:][:g.degrees[i]]
	total := 0
	for _, w := range ways {
		total += int(w.weight)
	}
	rest := random.Below(total)
	k := 0
	for rest >= int(ways[k].weight) {
		rest -= int(ways[k].weight)
		k++
	}
	return int32(k)
}

// mostVisited returns the node of p below the root, or none. In a tree p may have several nodes; then it returns the
// most visited one.
func (g *graph) mostVisited(p rules.Position) int32 {
	if len(g.nodes) == 0 || g.positions[0].Ply() >= p.Ply() {
		return none
	}
	if g.canonical {
		p = p.Canonical()
	}
	if g.table != nil { // each position has one node
		_, known := g.table.find(g.positions, p)
		return known
	}
	level, next := []int32{0}, []int32(nil)
	for range p.Ply() - g.positions[0].Ply() {
		next = next[:0]
		for _, i := range level {
			next = append(next, g.childrenOf(i)...)
		}
		level, next = next, level
	}
	best := int32(none)
	for _, i := range level {
		if g.positions[i] == p && (best == none || g.nodes[i].visits > g.nodes[best].visits) {
			best = i
		}
	}
	return best
}

// emptied returns a graph without nodes, with the memory of g and the settings of other.
func (g *graph) emptied(other *graph) graph {
	out := *g
	out.table, out.canonical, out.backup = other.table, other.canonical, other.backup
	out.threads, out.limit = other.threads, other.limit
	out.empty()
	return out
}

// copyFrom copies a node of another graph, as root, and all nodes below it.
func (g *graph) copyFrom(old *graph, root int32) {
	numbers := make([]int32, len(old.nodes)) // new numbers plus 1, 0 for not copied
	order := []int32{root}                   // old numbers by new ones
	numbers[root] = g.copyNode(old, root) + 1
	for k := 0; k < len(order); k++ {
		first := old.nodes[order[k]].firstEdge
		g.nodes[k].firstEdge = int32(len(g.children))
		for e, child := range old.childrenOf(order[k]) {
			if numbers[child] == 0 {
				numbers[child] = g.copyNode(old, child) + 1
				order = append(order, child)
			}
			g.copyEdge(old, first+int32(e), numbers[child]-1)
			g.adopt(numbers[child]-1, int32(k))
		}
	}
}

// copyNode adds a copy of a node of another graph, without parents.
func (g *graph) copyNode(old *graph, i int32) int32 {
	copied := g.add(old.positions[i])
	g.nodes[copied], g.degrees[copied] = old.nodes[i], old.degrees[i]
	if g.own != nil {
		g.own[copied] = old.own[i]
	}
	return copied
}

// copyEdge adds a copy of an edge of another graph.
func (g *graph) copyEdge(old *graph, e, child int32) {
	passes := int32(0)
	if old.passes != nil {
		passes = old.passes[e]
	}
	g.addEdge(child, old.ways[e], passes)
}

// nodeTable finds nodes by position. It is a hash table with linear probing, at most half full, and keeps its
// memory from search to search.
type nodeTable struct {
	slots []slot // a power of two
	used  int
}

// slot is free or has a node. The tag is a part of the hash of the node's position, so that find hardly ever compares
// different positions.
type slot struct {
	tag    uint32
	number int32 // the node's number plus 1, 0 if free
}

const leastSlots = 1 << 10

// empty forgets all nodes.
func (t *nodeTable) empty() {
	if t.slots == nil {
		t.slots = make([]slot, leastSlots)
	}
	clear(t.slots)
	t.used = 0
}

// add makes i the node of p and returns none. If p already has a node, it changes nothing and returns
// that node. positions has the position of each node.
func (t *nodeTable) add(positions []rules.Position, p rules.Position, i int32) int32 {
	if 2*t.used >= len(t.slots) {
		t.grow(positions)
	}
	free, known := t.find(positions, p)
	if known == none {
		*free = slot{uint32(hash(p)), i + 1}
		t.used++
	}
	return known
}

// find returns the node of p, or none and the slot where it would be.
func (t *nodeTable) find(positions []rules.Position, p rules.Position) (free *slot, known int32) {
	h, mask := hash(p), len(t.slots)-1
	for at := int(h >> (64 - bits.Len(uint(mask)))); ; at = (at + 1) & mask {
		s := &t.slots[at]
		if s.number == 0 {
			return s, none
		}
		if i := s.number - 1; s.tag == uint32(h) && positions[i] == p {
			return nil, i
		}
	}
}

// grow doubles the number of slots.
func (t *nodeTable) grow(positions []rules.Position) {
	old := t.slots
	t.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.number != 0 {
			free, _ := t.find(positions, positions[s.number-1])
			*free = s
		}
	}
}

// hash spreads positions by board and ply, which distinguish the positions of one search. If the rules place
// 4s, equal boards may have different plies.
func hash(p rules.Position) uint64 {
	h := uint64(p.Board()) ^ uint64(p.Ply())<<32
	h = (h ^ h>>32) * 0x9E37_79B9_7F4A_7C15
	return (h ^ h>>29) * 0xBF58_476D_1CE4_E5B9
}

package players

import (
	"versus2048/players/playout"
	"versus2048/rules"
)

// reroot makes the node of p the root and keeps what can be reached from it. It
// is false, and changes nothing, if p was not met.
func (s *ucbSearch) reroot(p rules.Position, random *playout.Generator) bool {
	root := s.mostVisited(p)
	if root == none {
		return false
	}
	s.graph, s.spare = s.spare.emptied(&s.graph), s.graph
	s.copyFrom(&s.spare, root)
	if s.nodes[0].degree == 0 {
		s.expand(0, random)
	}
	return true
}

// mostVisited is the node of p, of several in a tree the most visited one, or
// none.
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

// emptied is g without nodes, set as other is.
func (g *graph) emptied(other *graph) graph {
	out := *g
	out.table, out.canonical, out.backup, out.limit = other.table, other.canonical, other.backup, other.limit
	out.empty()
	return out
}

// copyFrom copies a node of another graph, as root, and all that can be reached
// from it.
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

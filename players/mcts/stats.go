package mcts

import (
	"cmp"
	"math"
	"slices"

	"versus2048/rules"
)

// Stats describes the last search.
type Stats struct {
	Playouts  int          // playouts made
	Nodes     int          // nodes of the tree or graph
	Expanded  []int64      // expanded nodes, by plies below the root
	Variation []rules.Move // the moves with the best means, up to the first position without playouts
	Moves     []MoveStats  // the moves with playouts, the best mean first
}

// MoveStats is the result of a search for a move at the root. If several moves are equal under symmetry and
// share a node, only one of them is listed.
type MoveStats struct {
	Move   rules.Move
	Mean   float64 // of the rewards, high for the defender
	Visits int64   // playouts
}

// summary returns the statistics of a search from root.
func (g *graph) summary(root rules.Position, playouts int) Stats {
	return Stats{
		Playouts:  playouts,
		Nodes:     len(g.nodes),
		Expanded:  g.expandedByDepth(),
		Variation: g.variation(root),
		Moves:     g.rootMoves(root),
	}
}

// visits returns the number of playouts through an edge, or of all playouts through its child if playouts are
// not counted by edges.
func (g *graph) visits(e int32) int32 {
	if g.backup == Ancestors {
		return g.nodes[g.children[e]].visits
	}
	return g.taken[e]
}

// bestEdge returns the edge of a node to the child with the best mean. If no child was visited, it returns the
// first edge, which is a random one at the root.
func (g *graph) bestEdge(i int32) int32 {
	sign := sign(g.positions[i].SideToMove())
	best, bestMean := g.nodes[i].edges, math.Inf(-1)
	for k, child := range g.childrenOf(i) {
		e := g.nodes[i].edges + int32(k)
		if mean := sign * g.nodes[child].mean; g.visits(e) > 0 && mean > bestMean {
			best, bestMean = e, mean
		}
	}
	return best
}

// expandedByDepth counts the nodes that have children. All paths to a node have the same length.
func (g *graph) expandedByDepth() (counts []int64) {
	for i, degree := range g.degrees {
		if degree == 0 {
			continue
		}
		depth := g.positions[i].Ply() - g.positions[0].Ply()
		for len(counts) <= depth {
			counts = append(counts, 0)
		}
		counts[depth]++
	}
	return counts
}

// variation returns the moves with the best means from the root p, up to the first position without playouts.
func (g *graph) variation(p rules.Position) (moves []rules.Move) {
	for i := int32(0); g.degrees[i] > 0; {
		e := g.bestEdge(i)
		if g.visits(e) == 0 && i != 0 {
			break
		}
		m := g.moveIn(p, e)
		moves = append(moves, m)
		i, p = g.children[e], p.Next(m)
	}
	return moves
}

// moveIn returns the move of an edge in p, its node's position before any symmetry.
func (g *graph) moveIn(p rules.Position, e int32) rules.Move {
	m := g.ways[e].move
	if !g.canonical {
		return m
	}
	symmetry := p.CanonicalBy()
	return symmetry.Inverse().Move(m, p.Size())
}

// rootMoves lists the moves with playouts, the best mean first.
func (g *graph) rootMoves(p rules.Position) (moves []MoveStats) {
	for k, child := range g.childrenOf(0) {
		e := g.nodes[0].edges + int32(k)
		if visits := g.visits(e); visits > 0 {
			moves = append(moves, MoveStats{Move: g.moveIn(p, e), Mean: g.nodes[child].mean, Visits: int64(visits)})
		}
	}
	sign := sign(p.SideToMove())
	slices.SortStableFunc(moves, func(a, b MoveStats) int { return cmp.Compare(sign*b.Mean, sign*a.Mean) })
	return moves
}

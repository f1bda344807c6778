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
	Variation []rules.Move // the moves with the best means, as far as there were playouts
	Moves     []MoveStats  // the moves that had playouts, the best mean first
}

// MoveStats is what a search found out about a move at the root. If several moves are equal under
// symmetry and share a node, only one of them is listed.
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

// visits returns how often the search went along an edge, or how many playouts the child has had
// where they are not counted by edges.
func (g *graph) visits(e edge) int32 {
	if g.backup == Ancestors {
		return g.stats[e.child].visits
	}
	return e.visits
}

// best returns the edge to the root's move with the best mean, a random one if there were no playouts.
func (g *graph) best() edge { return g.children(&g.nodes[0])[g.bestEdge(0)] }

// bestEdge returns the index, among a node's edges, of the edge to the child with the best mean, 0 if
// no child was visited.
func (g *graph) bestEdge(i int32) int {
	sign := sign(g.nodes[i].position.SideToMove())
	best, bestMean := 0, math.Inf(-1)
	for k, e := range g.children(&g.nodes[i]) {
		if mean := sign * g.stats[e.child].mean; g.visits(e) > 0 && mean > bestMean {
			best, bestMean = k, mean
		}
	}
	return best
}

// expandedByDepth counts the nodes that have children. All paths to a node have the same length.
func (g *graph) expandedByDepth() (counts []int64) {
	for i := range g.nodes {
		if g.nodes[i].degree == 0 {
			continue
		}
		depth := g.nodes[i].position.Ply() - g.nodes[0].position.Ply()
		for len(counts) <= depth {
			counts = append(counts, 0)
		}
		counts[depth]++
	}
	return counts
}

// variation returns the moves with the best means from p, the root, as far as there were playouts.
func (g *graph) variation(p rules.Position) (moves []rules.Move) {
	for i := int32(0); g.nodes[i].degree > 0; {
		e := g.children(&g.nodes[i])[g.bestEdge(i)]
		if g.visits(e) == 0 && i != 0 {
			break
		}
		m := g.moveIn(p, e)
		moves = append(moves, m)
		i, p = e.child, p.Next(m)
	}
	return moves
}

// moveIn returns the move of an edge in p, the position of its node before any symmetry.
func (g *graph) moveIn(p rules.Position, e edge) rules.Move {
	if !g.canonical {
		return e.move
	}
	symmetry := p.CanonicalBy()
	return symmetry.Inverse().Move(e.move, p.Size())
}

// rootMoves lists the moves that had playouts, the best mean first.
func (g *graph) rootMoves(p rules.Position) (moves []MoveStats) {
	for _, e := range g.children(&g.nodes[0]) {
		if visits := g.visits(e); visits > 0 {
			moves = append(moves, MoveStats{Move: g.moveIn(p, e), Mean: g.stats[e.child].mean, Visits: int64(visits)})
		}
	}
	sign := sign(p.SideToMove())
	slices.SortStableFunc(moves, func(a, b MoveStats) int { return cmp.Compare(sign*b.Mean, sign*a.Mean) })
	return moves
}

package mcts

import (
	"cmp"
	"math"
	"slices"

	"versus2048/players/searching"
	"versus2048/rules"
)

func (g *graph) result(root rules.Position, playouts int) searching.Result {
	return searching.Result{
		Playouts: int64(playouts), Nodes: int64(len(g.nodes)), Expanded: g.expandedByDepth(),
		Variation: g.variation(root), Moves: g.rootMoves(root),
	}
}

// lead returns the visits of the move with the best mean minus the visits of the most visited other move.
func (g *graph) lead() int {
	best, most := g.bestEdge(0), int32(0)
	first := g.nodes[0].firstEdge
	for e := first; e < first+int32(g.degrees[0]); e++ {
		if e != best {
			most = max(most, g.visits(e))
		}
	}
	return int(g.visits(best) - most)
}

// visits returns the number of playouts through an edge. If playouts are not counted by edges, it returns the number of
// all playouts through the child.
func (g *graph) visits(e int32) int32 {
	if g.backup == Ancestors {
		return g.nodes[g.children[e]].visits
	}
	return g.passes[e]
}

// bestEdge returns the edge of a node to the child with the best mean, among the edges with visits. Without visits it
// returns the first edge. The edges are in random order: see expand.
func (g *graph) bestEdge(i int32) int32 {
	sign := sign(g.positions[i].SideToMove())
	best, bestMean := g.nodes[i].firstEdge, math.Inf(-1)
	for k, child := range g.childrenOf(i) {
		e := g.nodes[i].firstEdge + int32(k)
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

// variation returns the moves with the best means from the root p, up to the first position without playouts, but at
// least one move.
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

// moveIn returns an edge's move as a move in p. A canonical graph has p in its canonical form, so moveIn turns the move
// back.
func (g *graph) moveIn(p rules.Position, e int32) rules.Move {
	m := g.ways[e].move
	if !g.canonical {
		return m
	}
	symmetry := p.CanonicalBy()
	return symmetry.Inverse().Move(m, p.Size())
}

// rootMoves lists the moves with playouts, the best mean first.
func (g *graph) rootMoves(p rules.Position) (moves []searching.Move) {
	for k, child := range g.childrenOf(0) {
		e := g.nodes[0].firstEdge + int32(k)
		if visits := g.visits(e); visits > 0 {
			moves = append(moves, searching.Move{Move: g.moveIn(p, e), Value: g.nodes[child].mean, Visits: int64(visits)})
		}
	}
	sign := sign(p.SideToMove())
	slices.SortStableFunc(moves, func(a, b searching.Move) int { return cmp.Compare(sign*b.Value, sign*a.Value) })
	return moves
}

package players

import (
	"cmp"
	"math"
	"slices"

	"versus2048/rules"
	"versus2048/rules/record"
)

// visits is how often the search went along an edge, or where playouts are not
// counted by edges how many the child has had.
func (g *graph) visits(e edge) int32 {
	if g.backup == ancestors {
		return g.stats[e.child].visits
	}
	return e.visits
}

// best is the edge to the root's move with the best mean. Without any playout it
// is a random one.
func (g *graph) best() edge { return g.children(&g.nodes[0])[g.bestEdge(0)] }

// bestEdge is the place among a node's edges of the one to the child with the
// best mean, 0 if none was visited.
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

// expandedByDepth counts the nodes that have children. All ways to a node are
// of one length.
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

// variation is the moves by the best means from p, which is the root, as far as
// there were playouts.
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

// moveIn is an edge's move in p, whose node it leaves.
func (g *graph) moveIn(p rules.Position, e edge) rules.Move {
	if !g.canonical {
		return e.move
	}
	symmetry := p.CanonicalBy()
	return symmetry.Inverse().Move(e.move, p.Size())
}

// rootMoves lists the moves that had playouts, the best mean first. Where one
// edge stands for several moves, equal under symmetry, one of them is listed.
func (g *graph) rootMoves(p rules.Position) (moves []record.RootMove) {
	for _, e := range g.children(&g.nodes[0]) {
		if visits := g.visits(e); visits > 0 {
			moves = append(moves, record.RootMove{Move: g.moveIn(p, e), Value: g.stats[e.child].mean, Visits: int64(visits)})
		}
	}
	worth := sign(p.SideToMove())
	slices.SortStableFunc(moves, func(a, b record.RootMove) int { return cmp.Compare(worth*b.Value, worth*a.Value) })
	return moves
}

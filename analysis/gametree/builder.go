package gametree

import (
	"slices"

	"versus2048/rules"
)

// key is what makes two positions one node.
type key struct {
	board rules.Board
	side  rules.Side
}

// builder builds a tree.
type builder struct {
	tree  *Tree
	known map[key]*Node
}

// node is the node of a position, a new one if it has none.
func (b *builder) node(p rules.Position) *Node {
	p = p.Canonical()
	k := key{p.Board(), p.SideToMove()}
	if n := b.known[k]; n != nil {
		return n
	}
	n := &Node{Position: p}
	b.known[k] = n
	row := rowOf(p)
	for len(b.tree.Rows) <= row {
		b.tree.Rows = append(b.tree.Rows, nil)
	}
	b.tree.Rows[row] = append(b.tree.Rows[row], n)
	return n
}

// rowOf is where a position stands: tiles are even, and whoever slides goes
// down by one row, whoever places by one or three.
func rowOf(p rules.Position) int {
	sum := 0
	for _, row := range p.Tiles() {
		for _, tile := range row {
			sum += tile
		}
	}
	if p.SideToMove() == rules.Defender {
		return sum - 1
	}
	return sum
}

// expand gives a node its edges.
func (b *builder) expand(n *Node) {
	moves := n.Position.AppendMoves(nil)
	for _, m := range moves {
		next := n.Position.Next(m)
		to := b.node(next)
		i := slices.IndexFunc(n.Edges, func(e Edge) bool { return e.To == to })
		if i < 0 {
			i = len(n.Edges)
			n.Edges = append(n.Edges, Edge{To: to, Gain: next.Score() - n.Position.Score()})
		}
		n.Edges[i].Moves = append(n.Edges[i].Moves, m)
		n.Edges[i].Chance += chance(n.Position, m)
	}
}

// chance is the probability that m is drawn in p, 0 where a player chooses.
func chance(p rules.Position, m rules.Move) float64 {
	if !p.Rules().Chance() || m.IsSlide() {
		return 0
	}
	cells := float64(p.Board().EmptyCells(p.Size()))
	if m.IsFour() {
		return 0.1 / cells
	}
	return 0.9 / cells
}

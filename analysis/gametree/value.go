package gametree

import (
	"math"
	"slices"

	"versus2048/analysis/exact"
	"versus2048/rules"
)

// solve gives every node its value, from the last row up.
func (t *Tree) solve() {
	for _, row := range slices.Backward(t.Rows) {
		for _, n := range row {
			n.solve()
		}
	}
}

func (n *Node) solve() {
	switch {
	case n.Mated():
	case n.Edges[0].Chance > 0:
		for _, e := range n.Edges {
			n.Value.Gain += e.Chance * e.value().Gain
		}
	default:
		n.Value = slices.MaxFunc(n.Edges, func(a, b Edge) int { return n.prefer(a.value(), b.value()) }).value()
		for i, e := range n.Edges {
			n.Edges[i].Best = n.prefer(e.value(), n.Value) == 0
		}
	}
}

// value is what playing the edge is worth.
func (e Edge) value() exact.Value {
	v := e.To.Value
	v.Gain += float64(e.Gain)
	if !e.To.Position.Rules().Chance() {
		v.Plies++
	}
	return v
}

// prefer is positive if the side to move prefers a to b, 0 if they are alike.
// What sums of probabilities are off by decides nothing.
func (n *Node) prefer(a, b exact.Value) int {
	order := a.Plies - b.Plies
	if d := a.Gain - b.Gain; math.Abs(d) > 1e-9 {
		order = int(math.Copysign(1, d))
	}
	if n.Position.SideToMove() == rules.Attacker {
		return -order
	}
	return order
}

// follow marks what perfect play reaches from here.
func (n *Node) follow() {
	if n.OnLine {
		return
	}
	n.OnLine = true
	for _, e := range n.Edges {
		if e.Best || e.Chance > 0 {
			e.To.follow()
		}
	}
}

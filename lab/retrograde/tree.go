package retrograde

import (
	"fmt"
	"math"
	"slices"

	"versus2048/players/exact"
	"versus2048/rules"
)

// MaxNodes is the largest number of positions in a tree: more do not fit a picture.
const MaxNodes = 2000

// Tree holds every position that can be reached from the empty board, with its value
// under perfect play. Positions equal under rotation and reflection are one node. The
// literature on the game calls it a tree; as positions are shared, it is a directed
// acyclic graph.
type Tree struct {
	Rules rules.Ruleset
	Size  rules.Size
	// Rows are the positions by the sum of their tiles. For each sum there is a row
	// with the defender to move, then one with the attacker to move. The first row
	// is the empty board.
	Rows [][]*Node
}

// Node is a position of the tree.
type Node struct {
	// Position is canonical. Several lines of play may lead to its board with
	// different scores and plies: Position has the score and the ply of one of them.
	Position rules.Position
	Value    exact.Value
	Edges    []Edge // none if the defender is mated
	OnLine   bool   // whether perfect play can reach it, for some draws of the tiles
}

// Edge stands for all moves that lead from one node to another. The boards after these moves are equal under rotation
// and reflection.
type Edge struct {
	To     *Node
	Moves  []rules.Move // in the node's position
	Gain   int          // points that the slide scores
	Chance float64      // probability that one of the moves is drawn, 0 if a player chooses
	Best   bool         // whether the moves are perfect
}

// NewTree returns the tree of all games from the empty board of a size. It returns an error if the tree has more than
// MaxNodes positions.
func NewTree(r rules.Ruleset, s rules.Size) (*Tree, error) {
	t := &Tree{Rules: r, Size: s}
	b := builder{tree: t, known: map[key]*Node{}}
	b.node(rules.NewPosition(r, s))
	for row := 0; row < len(t.Rows); row++ {
		for _, n := range t.Rows[row] {
			b.expand(n)
		}
		if len(b.known) > MaxNodes {
			return nil, fmt.Errorf("%v under %v: more than %d positions, too many for a picture; 2x2 has few enough", s, r, MaxNodes)
		}
	}
	t.solve()
	t.Start().markLine()
	return t, nil
}

// Start returns the empty board.
func (t *Tree) Start() *Node { return t.Rows[0][0] }

// Count returns the number of positions with that side to move, and the number of
// mated ones among them.
func (t *Tree) Count(side rules.Side) (positions, mated int) {
	for _, row := range t.Rows {
		for _, n := range row {
			if n.Position.SideToMove() == side {
				positions++
				if n.Mated() {
					mated++
				}
			}
		}
	}
	return positions, mated
}

// Summary returns a sentence on the size of the tree and the value of the game.
func (t *Tree) Summary() string {
	states, over := t.Count(rules.Defender)
	after, _ := t.Count(rules.Attacker)
	text := fmt.Sprintf("%v under %v: %d positions before a slide, %d of them mated, and %d before a placement; value %.4g",
		t.Size, t.Rules, states, over, after, t.Start().Value.Gain)
	if !t.Rules.Chance() {
		text += fmt.Sprintf(" in %d plies", t.Start().Value.Plies)
	}
	return text
}

// Mated reports whether the game is over here.
func (n *Node) Mated() bool { return len(n.Edges) == 0 }

// builder builds a tree.
type builder struct {
	tree  *Tree
	known map[key]*Node
}

// key identifies a node.
type key struct {
	board rules.Board
	side  rules.Side
}

// node returns the node of a position. It makes a new one if there is none.
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

// rowOf returns the row of a position. Tiles are even, so a slide leads down by one
// row, and a placement by one or three.
func rowOf(p rules.Position) int {
	if p.SideToMove() == rules.Defender {
		return p.Sum() - 1
	}
	return p.Sum()
}

// expand adds a node's edges.
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

// chance returns the probability that m is drawn in p, 0 if a player chooses it.
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

// solve computes the value of every node, from the last row up.
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

// value returns the value of playing the edge.
func (e Edge) value() exact.Value {
	v := e.To.Value
	v.Gain += float64(e.Gain)
	if !e.To.Position.Rules().Chance() {
		v.Plies++
	}
	return v
}

// prefer returns a positive number if the side to move prefers a to b, a negative one
// if it prefers b, and 0 if they are equal. Rounding errors in sums of probabilities
// do not matter.
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

// markLine marks the nodes that perfect play reaches from here.
func (n *Node) markLine() {
	if n.OnLine {
		return
	}
	n.OnLine = true
	for _, e := range n.Edges {
		if e.Best || e.Chance > 0 {
			e.To.markLine()
		}
	}
}

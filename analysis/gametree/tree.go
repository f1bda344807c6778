package gametree

import (
	"fmt"
	"slices"

	"versus2048/analysis/exact"
	"versus2048/rules"
)

// MaxNodes is how many positions a tree may have: more make no picture.
const MaxNodes = 2000

// Tree is every position that can be reached from the empty board, those equal
// under rotation and reflection once, with its value under perfect play. It is
// a tree as the game's literature calls it; as positions are shared it is a
// directed acyclic graph.
type Tree struct {
	Rules rules.Ruleset
	Size  rules.Size
	// Rows are the positions by the sum of their tiles, for each sum those with
	// the defender to move and then those with the attacker to move. The first
	// row is the empty board.
	Rows [][]*Node
}

// Node is a position of the tree.
type Node struct {
	// Position is the canonical form; its score and ply are those of one way
	// that leads to it.
	Position rules.Position
	Value    exact.Value
	Edges    []Edge // none if it is mated
	OnLine   bool   // reached when all play perfectly, with any luck
}

// Edge is the moves that lead from one node to another, which are equal under
// the board's symmetries.
type Edge struct {
	To     *Node
	Moves  []rules.Move // in the node's position
	Gain   int          // what the slide scores
	Chance float64      // that one of them is drawn, 0 where a player chooses
	Best   bool         // perfect play may choose them
}

// New is the tree of all games on an empty board of that size. It returns an
// error if it has more than MaxNodes positions.
func New(r rules.Ruleset, s rules.Size) (*Tree, error) {
	t := &Tree{Rules: r, Size: s}
	g := growth{tree: t, known: map[key]*Node{}}
	g.node(rules.NewPosition(r, s))
	for row := 0; row < len(t.Rows); row++ {
		for _, n := range t.Rows[row] {
			g.expand(n)
		}
		if len(g.known) > MaxNodes {
			return nil, fmt.Errorf("%v under %v: more than %d positions, too many for a picture; 2x2 has few enough", s, r, MaxNodes)
		}
	}
	t.solve()
	t.Start().follow()
	return t, nil
}

// Start is the empty board.
func (t *Tree) Start() *Node { return t.Rows[0][0] }

// Count is the number of positions with that side to move, and how many of them
// are mated.
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

// Mated tells whether the game is over here.
func (n *Node) Mated() bool { return len(n.Edges) == 0 }

// key is what makes two positions one node.
type key struct {
	board rules.Board
	side  rules.Side
}

// growth is a tree that is being built.
type growth struct {
	tree  *Tree
	known map[key]*Node
}

// node is the node of a position, a new one if it has none.
func (g *growth) node(p rules.Position) *Node {
	p = p.Canonical()
	k := key{p.Board(), p.SideToMove()}
	if n := g.known[k]; n != nil {
		return n
	}
	n := &Node{Position: p}
	g.known[k] = n
	row := rowOf(p)
	for len(g.tree.Rows) <= row {
		g.tree.Rows = append(g.tree.Rows, nil)
	}
	g.tree.Rows[row] = append(g.tree.Rows[row], n)
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
func (g *growth) expand(n *Node) {
	moves := n.Position.AppendMoves(nil)
	for _, m := range moves {
		next := n.Position.Next(m)
		to := g.node(next)
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

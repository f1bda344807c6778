package gametree

import (
	"fmt"

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

package analysis

import (
	"errors"
	"fmt"
	"strings"

	"versus2048/rules"
)

// LongestTree is the largest number of characters in the text of a tree: some hundreds of moves.
const LongestTree = 3000

// Tree is a position and the moves from it. Its nodes have numbers in the order of the text: the start has 0.
type Tree struct{ nodes []*Node }

// Node is a position of a tree.
type Node struct {
	Number   int
	Move     rules.Move // the move that led here; none at the start
	Position rules.Position
	Parent   *Node   // nil at the start
	Next     []*Node // after each move from here, the main one first
}

// NewTree returns a tree without moves.
func NewTree(start rules.Position) *Tree {
	return &Tree{nodes: []*Node{{Position: start}}}
}

// ParseTree reads the text of a tree. It returns an error if the text is too long, a bracket has no counterpart, a
// variation stands before all moves, or a move is not legal.
func ParseTree(start rules.Position, text string) (*Tree, error) {
	if len(text) > LongestTree {
		return nil, fmt.Errorf("the moves have %d characters: want at most %d", len(text), LongestTree)
	}
	t := NewTree(start)
	at, open := t.nodes[0], []*Node(nil) // open has the node before each open bracket
	for i, word := range strings.Fields(strings.NewReplacer("[", " [ ", "]", " ] ").Replace(text)) {
		switch {
		case word == "[" && at.Parent == nil:
			return nil, errors.New("a variation stands before all moves: want it behind the move that it replaces")
		case word == "[":
			open, at = append(open, at), at.Parent
		case word == "]" && len(open) == 0:
			return nil, errors.New("a bracket ] has no [ before it")
		case word == "]":
			at, open = open[len(open)-1], open[:len(open)-1]
		default:
			m, err := rules.ParseMove(word)
			if err != nil {
				return nil, err
			}
			if at, err = at.play(m); err != nil {
				return nil, fmt.Errorf("move %q, word %d: %w", word, i+1, err)
			}
		}
	}
	if len(open) > 0 {
		return nil, errors.New("a bracket [ has no ] behind it")
	}
	t.number()
	return t, nil
}

// Node returns the node with a number, nil if there is none.
func (t *Tree) Node(number int) *Node {
	if number < 0 || number >= len(t.nodes) {
		return nil
	}
	return t.nodes[number]
}

// Play plays a move from a node and returns the node behind the move. It adds this node if the tree lacks it: numbers
// of nodes may then change. It returns an error if the move is not legal, or the tree would become too long.
func (t *Tree) Play(from *Node, m rules.Move) (*Node, error) {
	known := len(from.Next)
	next, err := from.play(m)
	if err != nil {
		return nil, err
	}
	if len(t.String()) > LongestTree {
		from.Next = from.Next[:known]
		return nil, fmt.Errorf("with %v the moves would have more than %d characters", m, LongestTree)
	}
	t.number()
	return next, nil
}

// play returns the node behind a move. It adds this node if n has none for the move, and returns an error for an
// illegal move.
func (n *Node) play(m rules.Move) (*Node, error) {
	for _, next := range n.Next {
		if next.Move == m {
			return next, nil
		}
	}
	p, err := n.Position.Play(m)
	if err != nil {
		return nil, err
	}
	next := &Node{Move: m, Position: p, Parent: n}
	n.Next = append(n.Next, next)
	return next, nil
}

// String returns the text that ParseTree reads.
func (t *Tree) String() string {
	var words []string
	t.nodes[0].walk(func(n *Node) { words = append(words, n.Move.String()) }, func(bracket string) { words = append(words, bracket) })
	return strings.NewReplacer("[ ", "[", " ]", "]").Replace(strings.Join(words, " "))
}

// number numbers the nodes in the order of the text.
func (t *Tree) number() {
	t.nodes = t.nodes[:1]
	t.nodes[0].walk(func(n *Node) {
		n.Number = len(t.nodes)
		t.nodes = append(t.nodes, n)
	}, func(string) {})
}

// walk calls move for each node behind n and bracket for each bracket, in the order of the text.
func (n *Node) walk(move func(*Node), bracket func(string)) {
	for len(n.Next) > 0 {
		move(n.Next[0])
		for _, other := range n.Next[1:] {
			bracket("[")
			move(other)
			other.walk(move, bracket)
			bracket("]")
		}
		n = n.Next[0]
	}
}

// Line returns the nodes of the line through n: from the start to n, and on by the main moves.
func (n *Node) Line() (line []*Node) {
	for at := n; at != nil; at = at.Parent {
		line = append([]*Node{at}, line...)
	}
	for at := n; len(at.Next) > 0; {
		at = at.Next[0]
		line = append(line, at)
	}
	return line
}

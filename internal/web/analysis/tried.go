package analysis

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"versus2048/rules"
)

// tried returns the tree of the moves in a request's line=MOVES, and the node to show. at=NUMBER names this node;
// without at it is the start. If the request has play=MOVES, tried plays these moves from this node, and returns the
// node after them.
func tried(request url.Values, from rules.Position) (tree *Tree, node *Node, err error) {
	if tree, err = ParseTree(from, request.Get("line")); err != nil {
		return nil, nil, wrong("These moves cannot be shown", err.Error())
	}
	if node, err = shownIn(tree, request.Get("at")); err != nil {
		return nil, nil, err
	}
	for _, text := range strings.Fields(request.Get("play")) {
		m, err := rules.ParseMove(text)
		if err == nil {
			node, err = tree.Play(node, m)
		}
		if err != nil {
			return nil, nil, wrong("This move cannot be played", err.Error())
		}
	}
	return tree, node, nil
}

// shownIn returns the node of a tree with the number at, or the start if at is empty.
func shownIn(tree *Tree, at string) (*Node, error) {
	if at == "" {
		return tree.Node(0), nil
	}
	number, err := strconv.Atoi(at)
	if err != nil {
		return nil, wrong(fmt.Sprintf("There is no move %.20q", at), "The number of a move is a whole number from 1.")
	}
	node := tree.Node(number)
	if node == nil {
		return nil, wrong(fmt.Sprintf("There is no move %d", number), "The moves are counted from 1 in the order of the address.")
	}
	return node, nil
}

// Address is the address of the position within its tree.
func (p *Page) Address() string {
	start := p.Tree.Node(0).Position
	query := url.Values{"position": {start.String()}, "rules": {start.Rules().String()}}
	if line := p.Tree.String(); line != "" {
		query.Set("line", line)
		query.Set("at", strconv.Itoa(p.Node.Number))
	}
	return "/analysis?" + query.Encode()
}

// Path has the numbers of the moves of the line through the position. The page steps through them.
func (p *Page) Path() string {
	var path []string
	for _, node := range p.Node.Line() {
		path = append(path, strconv.Itoa(node.Number))
	}
	return strings.Join(path, " ")
}

// triedMove is a move of the tree for its page.
type triedMove struct {
	Number int
	Move   rules.Move
	Turn   string // such as "3." for a placement and "3…" for a slide; "" for a slide directly behind its placement
	Here   bool
	Others [][]triedMove // the variations that replace it
}

// Line returns the moves from the start, with their variations.
func (p *Page) Line() []triedMove { return p.lineFrom(p.Tree.Node(0), true) }

// lineFrom returns the moves behind a node. first reports whether they stand at the beginning of a line.
func (p *Page) lineFrom(from *Node, first bool) (line []triedMove) {
	for ; len(from.Next) > 0; from = from.Next[0] {
		main := p.triedMove(from.Next[0], first)
		for _, other := range from.Next[1:] {
			main.Others = append(main.Others, append([]triedMove{p.triedMove(other, true)}, p.lineFrom(other, false)...))
		}
		line = append(line, main)
		first = len(main.Others) > 0
	}
	return line
}

func (p *Page) triedMove(n *Node, first bool) triedMove {
	move, ply := triedMove{Number: n.Number, Move: n.Move, Here: n == p.Node}, n.Position.Ply()
	switch {
	case !n.Move.IsSlide():
		move.Turn = fmt.Sprintf("%d.", ply/2+1)
	case first:
		move.Turn = fmt.Sprintf("%d…", (ply+1)/2)
	}
	return move
}

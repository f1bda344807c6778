package analysis

import (
	"errors"
	"net/url"

	"versus2048/internal/study"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// View is the body of a page, and the facts that the frame around the body shows.
type View struct {
	Title, Section string
	Modules        []string // the modules of JavaScript that the page loads
	Body           any      // the data for the page's template
}

// Page is the page about one position.
type Page struct {
	PositionForm
	Position  rules.Position
	Tree      *Tree
	Node      *Node  // the tree's node for the position
	Game      string // the game that the position comes from; "" if it was set up
	Ply       string // the ply of the game; "" for the last one
	Over      bool
	Board     Board
	Advantage *study.Advantage // compared with the expected score from the empty board; nil if the final score is unknown
	Slides    []LegalMove      // all four, if the defender is to move
	Moves     []LegalMove
	Exact     *Exact // nil if no table has the position
	NoExact   string // why Exact is nil
	Solvable  bool   // whether boards of this size can have a table
	Arena     any    // the bots and the games of an arena; nil without one
}

// NewPage returns the page about a position.
func NewPage(t Tables, p rules.Position) *Page {
	tree := NewTree(p)
	return newPage(t, tree, tree.Node(0))
}

// NewTriedPage returns the page about the position that the moves in a request lead to, starting at from. It returns an
// error if a move cannot be read or played, or if no move has the number in the request.
func NewTriedPage(t Tables, request url.Values, from rules.Position) (*Page, error) {
	tree, node, err := tried(request, from)
	if err != nil {
		return nil, err
	}
	return newPage(t, tree, node), nil
}

func newPage(t Tables, tree *Tree, node *Node) *Page {
	p := node.Position
	page := &Page{
		PositionForm: PositionForm{Text: p.String(), Rules: p.Rules()}, Position: p, Tree: tree, Node: node, Over: p.Over(),
		Solvable: exact.Solvable(p.Size()) == nil,
	}
	var err error
	if page.Exact, err = t.View(p); err != nil {
		page.NoExact = advice(err)
	}
	page.Moves = LegalMoves(p, page.Exact)
	page.Board = NewBoard(p, nil)
	page.Board.link(page.Moves)
	game := &record.Record{Start: rules.NewPosition(p.Rules(), p.Size()), Ending: record.Unfinished}
	page.Advantage = study.Values(t).In(game, p, nil)
	if p.SideToMove() == rules.Defender { // a star marks the best placements, so only a slide gets an arrow
		page.Board.Point(t.Best(game, 0, p))
		page.Slides = slides(page.Moves)
	}
	return page
}

// advice returns the advice of a Problem, or the text of any other error.
func advice(err error) string {
	var known *Problem
	if errors.As(err, &known) {
		return known.Advice
	}
	return err.Error()
}

// NewFaultyPage returns the page for a request with an impossible position or impossible moves: the empty board, the
// typed text and the reason.
func NewFaultyPage(t Tables, request url.Values, why *Problem) *Page {
	page := NewPage(t, rules.NewPosition(rules.GPCC2015, rules.Full))
	page.Problem = why.Title + ": " + why.Advice
	page.Text = request.Get("position")
	if set, err := rules.ParseRuleset(request.Get("rules")); err == nil {
		page.Rules = set
	}
	return page
}

// View returns the page with its frame.
func (p *Page) View() View {
	return View{Title: "Analysis", Section: "analysis", Modules: []string{"analysis.js"}, Body: p}
}

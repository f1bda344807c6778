package web

import (
	"errors"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"versus2048/internal/server"
	"versus2048/internal/web/advantage"
	"versus2048/internal/web/variations"
	"versus2048/internal/web/words"
	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
	"versus2048/rules/record"
)

// analysis is the page about one position.
type analysis struct {
	pages    *pages
	arena    *server.Server
	find     *finder
	tables   tables
	explorer *explorer
}

// analysisPage is the page about one position.
type analysisPage struct {
	positionForm
	Position  rules.Position
	Tree      *variations.Tree
	Node      *variations.Node // of the tree: the position
	Game      string           // the game that the position comes from; "" if it was set up
	Ply       string           // of the game; "" for the last
	Over      bool
	Board     boardView
	Advantage *advantage.Advantage // beside a game from the empty board; nil if the final score is not known
	Slides    []legalMove          // all four, if the defender is to move
	Moves     []legalMove
	Exact     *exactView // nil if no table has the position
	NoExact   string     // why Exact is nil
	Explorer  *explorerView
	Kinds     []players.Kind   // of bots that the arena can start for an opinion
	Asked     []server.BotInfo // connected bots that can be asked
}

// legalMove is a move with the position after it.
type legalMove struct {
	Move    rules.Move
	Text    string // in words
	Address template.URL
	Legal   bool // false only for slides, which are listed even if they are not legal
	Exact   *exactMove
}

// show shows a position with the facts that are known about it. An impossible position is shown in the form
// that it was typed into, with the reason.
func (a *analysis) show(w http.ResponseWriter, r *http.Request) error {
	if r.FormValue("setup") != "" {
		return a.pages.show(w, r, "setup", setupView(r))
	}
	p, err := a.find.position(r)
	tree, node := variations.New(p), (*variations.Node)(nil)
	if err == nil {
		tree, node, err = tried(r, tree)
	}
	status, trouble := http.StatusOK, ""
	if err != nil {
		known := a.pages.problemOf(r, err)
		if known.status != http.StatusBadRequest {
			return err
		}
		status, trouble = known.status, known.title+": "+known.advice
		tree = variations.New(rules.NewPosition(rules.GPCC2015, rules.Full))
		node = tree.Node(0)
	}
	page := a.newPage(r, node.Position)
	page.Tree, page.Node, page.Problem = tree, node, trouble
	switch typed := r.FormValue("position"); {
	case trouble != "":
		page.Text = typed
		if set, err := rules.ParseRuleset(r.FormValue("rules")); err == nil {
			page.Rules = set
		}
	case typed == "":
		page.Game, page.Ply = r.FormValue("game"), r.FormValue("ply")
	}
	return a.pages.show(w, r, "analysis", view{status: status, Title: "Analysis", Section: "analysis", Modules: []string{"analysis.js"}, Body: page})
}

// tried returns the tree of the moves that a request has from a position: line=MOVES with at=NUMBER of the move that is
// shown, and play=MOVES to play from there.
func tried(r *http.Request, from *variations.Tree) (tree *variations.Tree, node *variations.Node, err error) {
	if tree, err = variations.Parse(from.Node(0).Position, r.FormValue("line")); err != nil {
		return nil, nil, wrong("These moves cannot be shown", err.Error())
	}
	number, err := offsetOf(r, "at")
	if err != nil {
		return nil, nil, err
	}
	if node = tree.Node(number); node == nil {
		return nil, nil, wrong(fmt.Sprintf("There is no move %d", number), "The moves are counted from 1 in the order of the address.")
	}
	for _, text := range strings.Fields(r.FormValue("play")) {
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

// Address is the address of the position within its tree.
func (a *analysisPage) Address() string {
	start := a.Tree.Node(0).Position
	query := url.Values{"position": {start.String()}, "rules": {start.Rules().String()}}
	if line := a.Tree.String(); line != "" {
		query.Set("line", line)
		query.Set("at", strconv.Itoa(a.Node.Number))
	}
	return "/analysis?" + query.Encode()
}

// Path has the numbers of the moves of the line through the position, as the page steps through them.
func (a *analysisPage) Path() string {
	var path []string
	for _, node := range a.Node.Line() {
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
func (a *analysisPage) Line() []triedMove { return a.lineFrom(a.Tree.Node(0), true) }

// lineFrom returns the moves behind a node. first reports whether they stand at the beginning of a line.
func (a *analysisPage) lineFrom(from *variations.Node, first bool) (line []triedMove) {
	for ; len(from.Next) > 0; from = from.Next[0] {
		main := a.triedMove(from.Next[0], first)
		for _, other := range from.Next[1:] {
			main.Others = append(main.Others, append([]triedMove{a.triedMove(other, true)}, a.lineFrom(other, false)...))
		}
		line = append(line, main)
		first = len(main.Others) > 0
	}
	return line
}

func (a *analysisPage) triedMove(n *variations.Node, first bool) triedMove {
	move, ply := triedMove{Number: n.Number, Move: n.Move, Here: n == a.Node}, n.Position.Ply()
	switch {
	case !n.Move.IsSlide():
		move.Turn = fmt.Sprintf("%d.", ply/2+1)
	case first:
		move.Turn = fmt.Sprintf("%d…", (ply+1)/2)
	}
	return move
}

func (a *analysis) newPage(r *http.Request, p rules.Position) *analysisPage {
	page := &analysisPage{
		positionForm: positionForm{Text: p.String(), Rules: p.Rules()}, Position: p, Over: p.Over(),
		Kinds: askable(), Asked: a.arena.Bots(),
	}
	var err error
	if page.Exact, err = a.tables.view(p); err != nil {
		page.NoExact = a.pages.problemOf(r, err).advice
	}
	page.Moves = legalMoves(p, page.Exact)
	page.Board = newBoardView(p, nil)
	page.Board.link(page.Moves)
	game := &record.Record{Start: rules.NewPosition(p.Rules(), p.Size()), Ending: record.Unfinished}
	page.Advantage = advantage.Values(a.tables).In(game, p, nil)
	if p.SideToMove() == rules.Defender { // the best placements have a star
		page.Board.point(a.tables.best(game, 0, p))
	}
	if p.SideToMove() == rules.Defender {
		page.Slides = slides(page.Moves)
	}
	page.Explorer = a.explorer.view(r, p)
	return page
}

// legalMoves returns the legal moves with their exact values, as far as known has them.
func legalMoves(p rules.Position, known *exactView) (all []legalMove) {
	for _, m := range p.AppendMoves(nil) {
		move := newLegalMove(p, m)
		if known != nil {
			value := known.Moves[m]
			move.Exact = &value
		}
		all = append(all, move)
	}
	return all
}

// newLegalMove returns a move that is legal in a position.
func newLegalMove(p rules.Position, m rules.Move) legalMove {
	return legalMove{Move: m, Text: inWords(m), Address: addressOf(p.Next(m)), Legal: true}
}

// inWords describes a move.
func inWords(m rules.Move) string {
	if m.IsSlide() {
		return "slide " + map[rules.Move]string{rules.North: "up", rules.South: "down", rules.West: "left", rules.East: "right"}[m]
	}
	tile := 2
	if m.IsFour() {
		tile = 4
	}
	return fmt.Sprintf("place a %d at column %d, row %d", tile, m.Cell()&3+1, m.Cell()>>2+1)
}

// slides returns all four slides, in the order of the arrows on the page: up, left, right, down.
func slides(legal []legalMove) (all []legalMove) {
	for _, m := range []rules.Move{rules.North, rules.West, rules.East, rules.South} {
		slide := legalMove{Move: m, Text: inWords(m)}
		for _, known := range legal {
			if known.Move == m {
				slide = known
			}
		}
		all = append(all, slide)
	}
	return all
}

// link adds the placements among moves to the cells.
func (b *boardView) link(moves []legalMove) {
	for _, m := range moves {
		if !m.Move.IsSlide() {
			cell := &b.Rows[m.Move.Cell()/4][m.Move.Cell()%4]
			cell.Place = append(cell.Place, m)
		}
	}
}

// tables are the tables of exact values that an arena has.
type tables []*exact.Table

// of returns the table of a position's rules and board, nil if there is none.
func (t tables) of(p rules.Position) *exact.Table { return advantage.Values(t).Table(p) }

// probe returns the values of a position from a table, or an error that tells why no table has them.
func (t tables) probe(p rules.Position) (*exact.Probe, error) {
	if table := t.of(p); table != nil {
		probe, err := table.Probe(p)
		if errors.Is(err, exact.ErrUnreachable) {
			return nil, notFound("This position has no exact value", "No game from the empty board reaches it.")
		}
		return probe, err
	}
	return nil, notFound(fmt.Sprintf("No exact values of %v on %v", p.Rules(), p.Size()),
		"Boards of up to nine cells can be solved: whoever hosts the arena loads a table with “arena serve --table FILE”, made by “lab solve --table FILE”.")
}

// exact returns the value of a position and of each move.
func (a *analysis) exact(r *http.Request) (*exact.Probe, error) {
	p, err := a.find.position(r)
	if err != nil {
		return nil, err
	}
	return a.tables.probe(p)
}

// exactView is the exact values of a position for its page.
type exactView struct {
	Worth  string // of the position
	Moves  map[rules.Move]exactMove
	Marked bool // whether some moves are the best ones; moves of chance are not
}

// exactMove is the result of a move under perfect play.
type exactMove struct {
	Worth string // the final score
	Plies int    // until the end of the game, 0 if that depends on chance
	Best  bool
	Heat  int // from 0, the lowest final score of all moves, to 4, the highest
}

// view returns the exact values of a position for its page. It returns an error if no table has them.
func (t tables) view(p rules.Position) (*exactView, error) {
	probe, err := t.probe(p)
	if err != nil {
		return nil, err
	}
	view := &exactView{Worth: worth(p, probe.Value), Moves: map[rules.Move]exactMove{}}
	low, high := math.Inf(1), math.Inf(-1)
	for _, m := range probe.Moves {
		low, high = min(low, m.Value.Gain), max(high, m.Value.Gain)
	}
	for _, m := range probe.Moves {
		view.Moves[m.Move] = exactMove{worth(p, m.Value), m.Value.Plies, m.Best, heat(m.Value.Gain, low, high)}
		view.Marked = view.Marked || m.Best
	}
	return view, nil
}

// worth writes the final score that a value leads to.
func worth(p rules.Position, v exact.Value) string {
	decimals := 0
	if p.Rules().Chance() {
		decimals = 2
	}
	return words.Number(strconv.FormatFloat(float64(p.Score())+v.Gain, 'f', decimals, 64))
}

// heat returns the place of a value between the lowest and the highest one, 0 to 4; 2 if all are equal.
func heat(value, low, high float64) int {
	if low >= high {
		return 2
	}
	return int(math.Round(4 * (value - low) / (high - low)))
}

package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"versus2048/arena"
	"versus2048/players"
	"versus2048/rules"
)

func (s *Site) analysisRoutes() []arena.Route {
	return []arena.Route{
		s.look("/analysis", s.showAnalysis),
		s.look("/api/analysis/live", s.sendOpinion),
		s.look("/parts/opinion", s.showOpinion),
		s.look("/api/exact", s.sendExact),
		s.look("/api/explorer", s.sendExplorer),
		s.look("/api/explorer/progress", s.sendCounting),
	}
}

// plus writes spaces as addresses have them.
var plus = strings.NewReplacer(" ", "+")

// analysisPage is the page about one position.
type analysisPage struct {
	Problem  string // why there is none
	Text     string // the position as the form has it
	Rules    rules.Ruleset
	Position rules.Position
	Address  template.URL
	Game     string // where the position comes from, with Ply; "" if it was set up
	Ply      string
	Over     bool
	Board    studyBoard
	Slides   []legalMove // the four, if the defender is to move
	Moves    []legalMove
	Exact    *exactView // nil if no table has the position
	NoExact  string     // why
	Explorer *explorerView
	Kinds    []players.Kind  // of bots that can be asked
	Asked    []arena.BotInfo // the same, connected ones
}

// studyBoard is a board on which moves can be played.
type studyBoard struct {
	boardView
	Rows [][]studyCell
}

type studyCell struct {
	cellView
	Place []legalMove // that can be played there
}

// legalMove is a move with where it leads to.
type legalMove struct {
	Move    rules.Move
	Text    string // in words
	Address template.URL
	Legal   bool // only slides are listed that are not
	Exact   *exactMove
}

// showAnalysis shows a position with what is known about it. An impossible one is shown as the form
// that it was typed into, with the reason.
func (s *Site) showAnalysis(w http.ResponseWriter, r *http.Request) error {
	if r.FormValue("setup") != "" {
		return s.showSetup(w, r)
	}
	p, err := s.positionOf(r)
	status, trouble := http.StatusOK, ""
	if err != nil {
		known := s.problemOf(r, err)
		if known.status != http.StatusBadRequest {
			return err
		}
		status, trouble = known.status, known.title+": "+known.advice
		p = rules.NewPosition(rules.GPCC2015, rules.Full)
	}
	page := s.newAnalysisPage(r, p)
	page.Problem = trouble
	if trouble != "" {
		page.Text = r.FormValue("position")
	}
	return s.showStatus(w, r, status, "analysis", view{Title: "Analysis", Section: "analysis", Modules: []string{"analysis.js"}, Body: page})
}

func (s *Site) newAnalysisPage(r *http.Request, p rules.Position) *analysisPage {
	page := &analysisPage{
		Text: p.String(), Rules: p.Rules(), Position: p, Address: addressOf(p), Over: p.Over(),
		Kinds: askable(), Asked: s.arena.Bots(),
	}
	if r.FormValue("position") == "" {
		page.Game, page.Ply = r.FormValue("game"), cmp.Or(r.FormValue("ply"), strconv.Itoa(p.Ply()))
	}
	probe, err := s.probe(p)
	if err == nil {
		page.Exact = newExactView(p, probe)
	} else {
		page.NoExact = s.problemOf(r, err).advice
	}
	page.Moves = legalMoves(p, page.Exact)
	page.Board = newStudyBoard(p, page.Moves)
	if p.SideToMove() == rules.Defender {
		page.Slides = slides(page.Moves)
	}
	page.Explorer = s.explorerView(r, p)
	return page
}

// legalMoves returns the legal moves with their exact values, as far as they are known.
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

func newLegalMove(p rules.Position, m rules.Move) legalMove {
	return legalMove{Move: m, Text: inWords(m), Address: addressOf(p.Next(m)), Legal: true}
}

// inWords says what a move does.
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

// newStudyBoard returns a board with the placements in its empty cells.
func newStudyBoard(p rules.Position, moves []legalMove) studyBoard {
	b := studyBoard{boardView: newBoardView(p, nil)}
	for _, row := range b.boardView.Rows {
		var cells []studyCell
		for _, c := range row {
			cell := studyCell{cellView: c}
			for _, m := range moves {
				if !m.Move.IsSlide() && m.Move.Cell() == 4*(c.Y-1)+c.X-1 {
					cell.Place = append(cell.Place, m)
				}
			}
			cells = append(cells, cell)
		}
		b.Rows = append(b.Rows, cells)
	}
	return b
}

// setupPage is the page on which a position is set up by hand: each link leads to the page after what it
// does. The position need not be possible before it is shown.
type setupPage struct {
	Problem              string // always "": the page that shows the position says what is wrong
	Text                 string
	Rules                rules.Ruleset
	Board                boardView
	Cells                [][]choice
	Tiles, Sizes, Movers []choice
	Clear                template.URL
}

// choice is a link to the page with something else set.
type choice struct {
	X, Y, Tile int // of a cell
	Text       string
	Address    template.URL
	Chosen     bool
}

// setup is a position that is being set up.
type setup struct {
	rules rules.Ruleset
	tiles [][]int
	side  rules.Side
	tile  string // that a press puts on a cell: "next", or its number
}

const mostTile = 1 << 16

func (s *Site) showSetup(w http.ResponseWriter, r *http.Request) error {
	now := setup{tile: r.FormValue("setup")}
	now.rules, _ = rules.ParseRuleset(r.FormValue("rules")) // or else the first ones
	text := r.FormValue("position")
	if now.tiles = tilesIn(text); now.tiles == nil {
		now.tiles = emptyTiles(rules.Full)
	}
	if fields := strings.Fields(text); len(fields) > 1 && fields[1] == "D" {
		now.side = rules.Defender
	}
	return s.show(w, r, "setup", view{Title: "Set up a position", Section: "analysis", Modules: []string{"setup.js"}, Body: now.page(r.FormValue("at"))})
}

// page returns the page, on which the keyboard stands at a cell.
func (s setup) page(at string) *setupPage {
	page := &setupPage{Text: s.text(), Rules: s.rules, Clear: s.with(func(next *setup) { next.tiles = emptyTiles(s.size()) })}
	page.Board = boardView{Width: len(s.tiles[0]), Height: len(s.tiles), Label: "Board to set up"}
	for y, row := range s.tiles {
		var cells []choice
		for x, tile := range row {
			put := s.with(func(next *setup) { next.tiles[y][x] = next.put(tile) })
			name := fmt.Sprintf("x%dy%d", x+1, y+1)
			cells = append(cells, choice{x + 1, y + 1, tile, cellLabel(x+1, y+1, tile), put + template.URL("&at="+name), name == at}) // #nosec G203 -- numbers only
		}
		page.Cells = append(page.Cells, cells)
	}
	add := func(to *[]choice, text string, chosen bool, set func(*setup)) {
		*to = append(*to, choice{Text: text, Address: s.with(set), Chosen: chosen})
	}
	add(&page.Tiles, "next", s.tile == "next", func(next *setup) { next.tile = "next" })
	add(&page.Tiles, "empty", s.tile == "0", func(next *setup) { next.tile = "0" })
	for tile := 2; tile <= mostTile; tile *= 2 {
		text := strconv.Itoa(tile)
		add(&page.Tiles, text, s.tile == text, func(next *setup) { next.tile = text })
	}
	for _, size := range rules.Sizes() {
		add(&page.Sizes, size.String(), size == s.size(), func(next *setup) { next.resize(size) })
	}
	for _, side := range []rules.Side{rules.Attacker, rules.Defender} {
		add(&page.Movers, side.String(), side == s.side, func(next *setup) { next.side = side })
	}
	return page
}

// with returns the address of the page after a change.
func (s setup) with(change func(*setup)) template.URL {
	rows := make([][]int, len(s.tiles))
	for y, row := range s.tiles {
		rows[y] = slices.Clone(row)
	}
	s.tiles = rows
	change(&s)
	query := url.Values{"setup": {s.tile}, "position": {s.text()}, "rules": {s.rules.String()}}
	return template.URL("/analysis?" + query.Encode()) // #nosec G203 -- escaped
}

func (s setup) text() string {
	var rows []string
	for _, row := range s.tiles {
		rows = append(rows, strings.Join(strings.Fields(strings.Trim(fmt.Sprint(row), "[]")), ","))
	}
	return strings.Join(rows, "/") + map[rules.Side]string{rules.Attacker: " A", rules.Defender: " D"}[s.side]
}

func (s setup) size() rules.Size { return sizeOf(s.tiles) }

func sizeOf(tiles [][]int) rules.Size {
	return rules.Size{Width: uint8(min(len(tiles[0]), 255)), Height: uint8(min(len(tiles), 255))} // #nosec G115 -- bounded
}

// put returns what the chosen tile makes of a cell with another one.
func (s setup) put(old int) int {
	if tile, err := strconv.Atoi(s.tile); err == nil {
		return tile
	}
	if old == mostTile {
		return 0
	}
	return max(2, 2*old)
}

// resize keeps the tiles that have a place on a board of another size.
func (s *setup) resize(to rules.Size) {
	tiles := emptyTiles(to)
	for y := range min(len(tiles), len(s.tiles)) {
		copy(tiles[y], s.tiles[y])
	}
	s.tiles = tiles
}

func emptyTiles(size rules.Size) [][]int {
	tiles := make([][]int, size.Height)
	for y := range tiles {
		tiles[y] = make([]int, size.Width)
	}
	return tiles
}

// tilesIn returns the tiles in the text of a position, which may be impossible; nil if it has none.
func tilesIn(text string) (tiles [][]int) {
	board, _, _ := strings.Cut(text, " ")
	for row := range strings.SplitSeq(board, "/") {
		var cells []int
		for cell := range strings.SplitSeq(row, ",") {
			tile, err := strconv.Atoi(cell)
			if err != nil || tile < 0 || tile == 1 || tile > mostTile || tile&(tile-1) != 0 {
				return nil
			}
			cells = append(cells, tile)
		}
		if tiles = append(tiles, cells); len(cells) != len(tiles[0]) {
			return nil
		}
	}
	if !slices.Contains(rules.Sizes(), sizeOf(tiles)) {
		return nil
	}
	return tiles
}

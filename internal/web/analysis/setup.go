package analysis

import (
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"versus2048/rules"
)

// setupPage is the page for setting up a position by hand. Each of its links leads to this page after one change. The
// position may be impossible: then the page of the analysis tells the reason.
type setupPage struct {
	PositionForm
	Board                          Board
	Cells                          [][]choice
	Tiles, Sizes, Movers, Rulesets []choice
	Clear                          template.URL
}

// PositionForm is the form for typing a position.
type PositionForm struct {
	Text    string
	Rules   rules.Ruleset
	Problem string // the reason why the typed text is no position, "" if it is one
	Fixed   bool   // the rules are chosen elsewhere on the page
}

// choice is a link to the page after one change.
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
	tile  string // the tile that a press puts on a cell: "next" for the next larger tile, or a number, 0 for no tile
}

// mostTile is the largest tile that can be set.
const mostTile = 1 << 16

// Setup returns the page for changing the position in a request, or the empty board if the request has no position.
func Setup(request url.Values) View {
	now := setup{tile: "next"}
	if tile, err := strconv.Atoi(request.Get("setup")); err == nil && isTile(tile) {
		now.tile = strconv.Itoa(tile)
	}
	now.rules, _ = rules.ParseRuleset(request.Get("rules")) // or else the zero ones, gpcc2015
	text := request.Get("position")
	if now.tiles = tilesIn(text); now.tiles == nil {
		now.tiles = emptyTiles(rules.Full)
	}
	if fields := strings.Fields(text); len(fields) > 1 && fields[1] == "D" {
		now.side = rules.Defender
	}
	return View{Title: "Set up a position", Section: "analysis", Modules: []string{"setup.js"}, Body: now.page(request.Get("at"))}
}

// page returns the page. at names the cell that had the keyboard's focus, "" for none.
func (s setup) page(at string) *setupPage {
	page := &setupPage{PositionForm: PositionForm{Text: s.text(), Rules: s.rules, Fixed: true}, Clear: s.with(func(next *setup) { next.tiles = emptyTiles(s.size()) })}
	page.Board = Board{Width: len(s.tiles[0]), Height: len(s.tiles), Label: "Board to set up"}
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
	for _, set := range rules.Rulesets() {
		add(&page.Rulesets, set.String(), set == s.rules, func(next *setup) { next.rules = set })
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

// text returns the position as it is typed.
func (s setup) text() string {
	var rows []string
	for _, row := range s.tiles {
		rows = append(rows, strings.ReplaceAll(strings.Trim(fmt.Sprint(row), "[]"), " ", ","))
	}
	return strings.Join(rows, "/") + map[rules.Side]string{rules.Attacker: " A", rules.Defender: " D"}[s.side]
}

func (s setup) size() rules.Size { return sizeOf(s.tiles) }

func sizeOf(tiles [][]int) rules.Size {
	return rules.Size{Width: uint8(min(len(tiles[0]), 255)), Height: uint8(min(len(tiles), 255))} // #nosec G115 -- bounded
}

// put returns the tile of a cell after a press with the chosen tile. old is the tile before the press.
func (s setup) put(old int) int {
	if tile, err := strconv.Atoi(s.tile); err == nil {
		return tile
	}
	if old == mostTile {
		return 0
	}
	return max(2, 2*old)
}

// resize changes the size of the board. It keeps the tiles that have a place on the new board.
func (s *setup) resize(to rules.Size) {
	tiles := emptyTiles(to)
	for y := range min(len(tiles), len(s.tiles)) {
		copy(tiles[y], s.tiles[y])
	}
	s.tiles = tiles
}

// emptyTiles returns a board of zeros, which stand for empty cells.
func emptyTiles(size rules.Size) [][]int {
	tiles := make([][]int, size.Height)
	for y := range tiles {
		tiles[y] = make([]int, size.Width)
	}
	return tiles
}

// isTile reports whether a cell can have a tile, 0 for no tile.
func isTile(tile int) bool {
	return tile >= 0 && tile != 1 && tile <= mostTile && tile&(tile-1) == 0
}

// tilesIn returns the tiles in the text of a position, even of an impossible one. It returns nil if the text has no
// board of a known size, or a tile that no cell can have.
func tilesIn(text string) (tiles [][]int) {
	board, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	for row := range strings.SplitSeq(board, "/") {
		var cells []int
		for cell := range strings.SplitSeq(row, ",") {
			tile, err := strconv.Atoi(cell)
			if err != nil || !isTile(tile) {
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

package analysis

import (
	"fmt"
	"html/template"
	"net/url"
	"strings"

	"versus2048/internal/web/templates"
	"versus2048/rules"
)

// LegalMove is a move with the address of the position after it. A slide that is not legal has no address.
type LegalMove struct {
	Move    rules.Move
	Text    string // in words
	Address template.URL
	Legal   bool // false only for slides, which are listed even if they are not legal
	Exact   *ExactMove
}

// LegalMoves returns the legal moves, with their exact values if known is not nil.
func LegalMoves(p rules.Position, known *Exact) (all []LegalMove) {
	for _, m := range p.AppendMoves(nil) {
		move := NewLegalMove(p, m)
		if known != nil {
			value := known.Moves[m]
			move.Exact = &value
		}
		all = append(all, move)
	}
	return all
}

// NewLegalMove returns a move that is legal in a position.
func NewLegalMove(p rules.Position, m rules.Move) LegalMove {
	return LegalMove{Move: m, Text: inWords(m), Address: AddressOf(p.Next(m)), Legal: true}
}

// inWords describes a move.
func inWords(m rules.Move) string {
	if m.IsSlide() {
		return "slide " + templates.Way(m)
	}
	tile := 2
	if m.IsFour() {
		tile = 4
	}
	return fmt.Sprintf("place a %d at column %d, row %d", tile, m.Cell()&3+1, m.Cell()>>2+1)
}

// slides returns all four slides, in the order of the arrows on the page: up, left, right, down.
func slides(legal []LegalMove) (all []LegalMove) {
	for _, m := range []rules.Move{rules.North, rules.West, rules.East, rules.South} {
		slide := LegalMove{Move: m, Text: inWords(m)}
		for _, known := range legal {
			if known.Move == m {
				slide = known
			}
		}
		all = append(all, slide)
	}
	return all
}

// AddressOf returns the address of the page about a position. The text of a position has nothing to escape but spaces.
func AddressOf(p rules.Position) template.URL {
	position := strings.ReplaceAll(p.String(), " ", "+")
	return template.URL("/analysis?position=" + position + "&rules=" + url.QueryEscape(p.Rules().String())) // #nosec G203 -- numbers and letters only
}

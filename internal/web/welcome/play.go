package welcome

import (
	"slices"

	"versus2048/internal/web/analysis"
	"versus2048/players"
	"versus2048/rules"
)

// Play is the form of a game and, with JavaScript, the game itself.
type Play struct {
	Levels    []Level
	Kinds     []players.Kind // that an arena can start; none without an arena
	Connected []string       // the names of connected bots
	Sizes     []rules.Size
	Rules     []rules.Ruleset
	Board     analysis.Board
	Problem   string // the wrong part of the page's address in a sentence, "" for none
}

// NewPlay returns the page for playing against bots of these kinds, and against connected bots.
func NewPlay(kinds []players.Kind, connected []string) *Play {
	page := &Play{Levels: Levels(), Kinds: kinds, Connected: connected, Rules: rules.Rulesets(), Sizes: rules.Sizes()}
	slices.Reverse(page.Sizes) // the usual one first
	page.Board = analysis.NewBoard(rules.NewPosition(rules.GPCC2015, rules.Full), nil)
	return page
}

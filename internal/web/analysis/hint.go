package analysis

import (
	"versus2048/rules"
	"versus2048/rules/record"
)

// Hint is a bot's hint on the page about a position.
type Hint struct {
	Bot    string
	Move   rules.Move
	Search *Search
	Exact  *Exact      // nil if no table has the position
	Best   []LegalMove // under perfect play
}

// hintRows is the largest number of moves of a search in a hint.
const hintRows = 6

// NewHint returns the hint of a bot that has chosen a move in a position.
func NewHint(t Tables, p rules.Position, bot string, move rules.Move, report *record.SearchReport) *Hint {
	hint := &Hint{Bot: bot, Move: move, Search: NewSearch(p, report)}
	if hint.Search != nil {
		hint.Search.Moves = hint.Search.Moves[:min(hintRows, len(hint.Search.Moves))]
	}
	known, err := t.View(p)
	if err != nil {
		return hint // without exact values
	}
	hint.Exact = known
	for _, m := range LegalMoves(p, known) {
		if m.Exact.Best {
			hint.Best = append(hint.Best, m)
		}
	}
	return hint
}

package analysis

import (
	"versus2048/internal/text/plain"
	"versus2048/internal/web/templates"
	"versus2048/rules"
	"versus2048/rules/record"
)

// Panels has the facts about a ply of a game: the move that led to it, and the position before the move. At ply 0 the
// facts are about the first position.
type Panels struct {
	Mover  string // the bot that made the move
	Side   rules.Side
	Move   string // "" at ply 0
	Search *Search
	Exact  *Exact
	Moves  []LegalMove // of the position before the move, with their exact values; nil without a table
	Best   *BestMove   // the best move in the position after the move; nil if it is not known
}

// BestMove is the best move in a position.
type BestMove struct {
	rules.Move
	By string // the source of the knowledge, in words
}

// Best returns the best move after a ply: by a table, or by the report on the search for the next move. It returns nil
// if neither has one.
func (t Tables) Best(game *record.Record, ply int, p rules.Position) *BestMove {
	if table := t.Of(p); table != nil {
		if best, err := table.Best(p); err == nil && len(best) > 0 {
			return &BestMove{best[0], "perfect play"}
		}
	}
	if ply < len(game.Searches) && game.Searches[ply] != nil && len(game.Searches[ply].Moves) > 0 {
		return &BestMove{game.Searches[ply].Moves[0].Move, "the search of " + plain.Line(templates.BotOf(game, p.SideToMove()))}
	}
	return nil
}

// Panels returns the facts about a ply, 0 to the number of moves. The facts include the report on the search for the
// ply's move, if the record has one, and the exact values of the possible moves, if a table has them. Panels returns an
// error if a move up to the ply is not legal.
func (t Tables) Panels(game *record.Record, ply int) (known Panels, err error) {
	positions, err := Between(game, max(0, ply-1), ply)
	if err != nil {
		return known, err
	}
	before, shown := positions[0], positions[len(positions)-1]
	known.Side = before.SideToMove()
	known.Mover = templates.BotOf(game, known.Side)
	if ply > 0 {
		known.Move = game.Moves[ply-1].String()
	}
	known.Best = t.Best(game, ply, shown)
	if ply > 0 && ply <= len(game.Searches) {
		if known.Search = NewSearch(before, game.Searches[ply-1]); known.Search != nil {
			known.Search.Played = known.Move
		}
	}
	if exact, err := t.View(before); err == nil {
		known.Exact = exact
		known.Moves = LegalMoves(before, known.Exact)
	}
	return known, nil
}

// Values returns the value of each ply's move by the search that chose it, nil for a move without a value. The list is
// empty if there are no reports.
func Values(game *record.Record) []*float64 {
	values := []*float64{}
	for i, search := range game.Searches {
		values = append(values, valueOf(search, game.Moves[i]))
	}
	return values
}

// valueOf returns the value of a move in a search report. It returns nil without a value, and for a mate, because its
// value cannot be compared with others.
func valueOf(s *record.SearchReport, move rules.Move) *float64 {
	if s == nil {
		return nil
	}
	for i := range s.Moves {
		if s.Moves[i].Move == move && s.Moves[i].Mate == 0 {
			return &s.Moves[i].Value
		}
	}
	return nil
}

package players

import (
	"context"
	"fmt"

	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// chooser is what a kind of bot adds: the choice between legal moves.
type chooser interface {
	// choose returns one of moves, the two or more legal moves in p. It may
	// reorder them. When ctx ends, or has ended before, it returns at once.
	choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move
}

// reporter is a chooser that searches and can say what it found.
type reporter interface {
	// report is on the last choose. Not everybody asks for it: what takes
	// time to gather is gathered here.
	report() *record.SearchReport
}

// bot is the Player made of a chooser.
type bot struct {
	seed, ownSeed uint64
	chooser       chooser
	chose         bool // the last move was not forced
}

// Choose implements Player. A forced move takes no search. Each move has a
// generator of its own, so that a game that is interrupted goes on as it would
// have.
func (b *bot) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	moves := p.AppendMoves(nil)
	b.chose = len(moves) > 1
	switch len(moves) {
	case 0:
		return 0, gameOver(p)
	case 1:
		return moves[0], nil
	}
	g := playout.NewGenerator(b.seed, b.ownSeed, uint64(p.Ply()))
	return b.chooser.choose(ctx, p, moves, &g), nil
}

// gameOver is what a player says who is asked for a move when there is none.
func gameOver(p rules.Position) error {
	return fmt.Errorf("no move to choose: the game is over in %v", p)
}

// LastSearch implements Searcher. What is deeper than a report may go is left
// out.
func (b *bot) LastSearch() *record.SearchReport {
	r, ok := b.chooser.(reporter)
	if !ok || !b.chose {
		return nil
	}
	s := r.report()
	s.Expanded = s.Expanded[:min(len(s.Expanded), record.MaxSearchDepth)]
	s.Variation = s.Variation[:min(len(s.Variation), record.MaxSearchDepth)]
	return s
}

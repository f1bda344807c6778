package players

import (
	"context"
	"fmt"
	"time"

	"versus2048/players/clock"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// bot is a Player that asks a chooser for its moves.
type bot struct {
	seed, ownSeed uint64 // of the game and of the spec
	chooser       chooser
	chose         bool          // whether the last move was chosen by the chooser; a forced move is not
	before        time.Duration // processor time of this process when the last search began
}

// chooser chooses between legal moves. The kinds of bots differ in their choosers.
type chooser interface {
	// choose returns one of moves, the two or more legal moves in p. It may reorder them. When ctx ends,
	// or has already ended, it returns at once.
	choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move
}

// reporter is a chooser that searches and can report the search.
type reporter interface {
	// report returns a report on the last choose. It does the work that only a report needs, since not
	// every event asks for reports.
	report() *record.SearchReport
}

// Choose implements Player. It plays a forced move without a search. Each move has its own generator of random
// numbers, so that an interrupted game continues as it would have without the interruption.
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
	if _, searches := b.chooser.(reporter); !searches {
		return b.chooser.choose(ctx, p, moves, &g), nil
	}
	b.before = clock.ProcessorTime()
	return b.chooser.choose(ctx, p, moves, &g), nil
}

// gameOver returns the error of a player that is asked for a move after the end of the game.
func gameOver(p rules.Position) error {
	return fmt.Errorf("no move to choose: the game is over in %v", p)
}

// LastSearch implements Searcher. It cuts lists that are too long for a report. The processor time includes the
// time up to this call, since other threads of the search may end a little later than Choose.
func (b *bot) LastSearch() *record.SearchReport {
	r, ok := b.chooser.(reporter)
	if !ok || !b.chose {
		return nil
	}
	s := r.report()
	s.CPU = clock.ProcessorTime() - b.before
	s.Expanded = s.Expanded[:min(len(s.Expanded), record.MaxSearchDepth)]
	s.Variation = s.Variation[:min(len(s.Variation), record.MaxSearchDepth)]
	return s
}

// timed is a chooser that distributes the time of a game over its moves.
type timed struct {
	search search
	pace   *pace
}

// search adapts a search from a package below this one.
type search interface {
	// choose returns one of moves, the legal moves in p, soon after stop reports true.
	choose(p rules.Position, moves []rules.Move, g *playout.Generator, stop func() bool) rules.Move
	// report returns a report on the last choose, without its time.
	report() *record.SearchReport
}

func (s *timed) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	return s.pace.spend(ctx, p.Ply(), func(t *turn) rules.Move {
		if !t.target.IsZero() {
			t.limit(t.target) // an unfinished search is of use, too: it needs no more time than this
		}
		return s.search.choose(p, moves, g, func() bool { return t.over(ctx) })
	})
}

// report implements reporter.
func (s *timed) report() *record.SearchReport {
	r := s.search.report()
	r.Time = s.pace.last
	return r
}

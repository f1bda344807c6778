package players

import (
	"context"
	"fmt"
	"time"

	"versus2048/players/clock"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
	"versus2048/rules/record"
)

// bot is a Player that asks a chooser for its moves.
type bot struct {
	seed, ownSeed uint64 // of the game and of the spec
	chooser       chooser
	chose         bool          // whether the chooser chose the last move; false for a forced move
	cpuBefore     time.Duration // processor time of this process when the last search began
}

// chooser chooses between legal moves. The kinds of bots differ in their choosers.
type chooser interface {
	// choose returns one of moves, the two or more legal moves in p. choose may reorder moves. When ctx ends, or has
	// already ended, choose returns at once.
	choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move
}

// reporter is a chooser that searches and can report the search.
type reporter interface {
	// report returns a report on the last choose. Work that only a report needs is done here and not in choose,
	// since not every event asks for reports.
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
	if _, searches := b.chooser.(reporter); searches {
		b.cpuBefore = clock.ProcessorTime()
	}
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
	s.CPU = clock.ProcessorTime() - b.cpuBefore
	searching.CutReport(s)
	return s
}

// pacedChooser is a chooser that searches within a budget and distributes the time of a game over its moves.
type pacedChooser struct {
	search  search
	budget  searching.Budget // without the clock
	pace    *pace
	patient bool // the search may take longer than its share of the time, and ends at a mate even without a clock
}

// search is a search from a package below this one: a deepSearch or a playoutSearch.
type search interface {
	choose(p rules.Position, moves []rules.Move, g *playout.Generator, b searching.Budget) rules.Move
	// Result returns the result of the last choose.
	Result() searching.Result
}

func (s *pacedChooser) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	return s.pace.spend(ctx, p.Ply(), func(t *turn) rules.Move {
		if !s.patient {
			t.cut()
		}
		b := s.budget
		b.Stop = func() bool { return t.over(ctx) }
		if t.limited() || s.patient {
			b.Enough = t.enough
		}
		return s.search.choose(p, moves, g, b)
	})
}

// report implements reporter.
func (s *pacedChooser) report() *record.SearchReport {
	return s.search.Result().Report(s.pace.lastMove)
}

// deepSearch is a search by iterative deepening.
type deepSearch struct {
	deepener
	ties ties
}

type deepener interface {
	Choose(p rules.Position, moves []rules.Move, b searching.Budget) rules.Move
	Result() searching.Result
}

func (d deepSearch) choose(p rules.Position, moves []rules.Move, g *playout.Generator, b searching.Budget) rules.Move {
	if d.ties == tiesDrawn {
		g.Shuffle(moves) // the first of the best moves is then drawn evenly from them
	}
	return d.Choose(p, moves, b)
}

// playoutSearch is a search that makes playouts or simulations.
type playoutSearch struct{ simulator }

type simulator interface {
	Choose(p rules.Position, random *playout.Generator, b searching.Budget) rules.Move
	Result() searching.Result
}

func (s playoutSearch) choose(p rules.Position, _ []rules.Move, g *playout.Generator, b searching.Budget) rules.Move {
	return s.Choose(p, g, b)
}

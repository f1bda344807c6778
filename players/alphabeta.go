package players

import (
	"context"
	"time"

	"versus2048/players/alphabeta"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// alphaBetaOptions are the options of the kinds alphabeta and champion.
type alphaBetaOptions struct {
	search       alphabeta.Config
	judge        judge
	milliseconds int
	ties         ties
	seed         uint64
}

func alphaBetaKind() Kind {
	return entry[alphaBetaOptions]{
		name:    "alphabeta",
		summary: "alpha-beta for both roles, with a choice of evaluations, mates by distance and reductions",
		options: (*alphaBetaOptions).settings,
		open:    func(o *alphaBetaOptions) error { return o.judge.open() },
		plays:   func(o alphaBetaOptions, _ rules.Ruleset, s rules.Size) error { return o.judge.plays(s) },
		need:    alphaBetaOptions.need,
		player:  alphaBetaOptions.player,
	}.kind()
}

func (o *alphaBetaOptions) settings() []setting {
	return append(o.judge.settings(heuristicReserve),
		number(&o.search.Depth, Option{
			Name: "depth", Default: "8", Least: 1, Most: alphabeta.MaxDepth,
			Meaning: "slides to look ahead, whoever moves first",
		}),
		number(&o.milliseconds, alphaBetaTime("0")),
		number(&o.search.Table, Option{
			Name: "table", Default: "16", Least: alphabeta.MinTable, Most: alphabeta.MaxTable,
			Meaning: "logarithm of the number of entries of the transposition table, 16 bytes each",
		}),
		toggle(&o.search.Keep, Option{
			Name: "keep", Default: "false",
			Meaning: "keep the table from move to move; the moves then depend on the whole game",
		}),
		toggle(&o.search.Reductions, Option{
			Name: "reductions", Default: "true",
			Meaning: "search less deep what is likely to be bad; without them the moves are those of minimax",
		}),
		toggle(&o.search.Hurry, Option{
			Name: "hurry", Default: "true",
			Meaning: "count mates by their distance: the attacker hurries, the defender prolongs; without it a mate counts as its evaluation",
		}),
		alphaBetaThreads(&o.search.Threads),
		number(&o.ties, tiesOption),
		seedOption(&o.seed),
	)
}

func alphaBetaTime(byDefault string) Option {
	return Option{
		Name: "time", Default: byDefault, Most: timeOption.Most,
		Meaning: "milliseconds for each move at most; 0 for no limit but the game's clock",
	}
}

func alphaBetaThreads(field *int) setting {
	return number(field, Option{
		Name: "threads", Default: "1", Least: 1, Most: 256,
		Meaning: "threads that search together; with more than one a game cannot be repeated exactly",
	})
}

// championKind returns the strongest bot: alphabeta with the settings that won the matches of
// docs/adr/0020-alphabeta.md.
func championKind() Kind {
	return entry[alphaBetaOptions]{
		name:    "champion",
		summary: "the strongest bot: alphabeta with the settings that were measured to be best",
		options: func(o *alphaBetaOptions) []setting {
			return []setting{
				number(&o.milliseconds, alphaBetaTime("100")),
				alphaBetaThreads(&o.search.Threads),
				seedOption(&o.seed),
			}
		},
		need:   func(o alphaBetaOptions) Need { return o.champion().need() },
		player: func(o alphaBetaOptions, g Game) Player { return o.champion().player(g) },
	}.kind()
}

// champion returns the options with the settings of the champion. Its table is large where the time is
// long enough to fill it: see docs/performance.md.
func (o alphaBetaOptions) champion() alphaBetaOptions {
	o.judge.heuristic, o.ties = heuristicReserve, tiesDrawn
	o.search = alphabeta.Config{
		Depth: alphabeta.MaxDepth, Hurry: true, Table: 18, Keep: true, Reductions: true, Threads: o.search.Threads,
	}
	if o.milliseconds > 0 && o.milliseconds < 5 {
		o.search.Table = 16
	}
	return o
}

// need returns what a search needs: its table, its network, and little for each thread.
func (o alphaBetaOptions) need() Need {
	return Need{
		Memory:  leastMemory + alphabeta.TableBytes(o.search.Table) + uint64(o.search.Threads)<<17 + o.judge.memory(),
		Threads: o.search.Threads,
	}
}

func (o alphaBetaOptions) player(g Game) Player {
	o.search.Evaluation = func(s rules.Size) alphabeta.Evaluation { return o.judge.on(s) }
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: &paced{
		minimaxer: minimaxer{alphabeta.New(o.search), o.ties},
		pace:      newPace(g.Clock, time.Duration(o.milliseconds)*time.Millisecond),
	}}
}

// paced is a chooser that searches with alpha-beta and shares out the time of a game.
type paced struct {
	minimaxer
	pace *pace
	last time.Duration // took the last search
}

func (s *paced) choose(ctx context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	turn := s.pace.next(ctx, time.Now(), p.Ply())
	m := s.within(p, moves, g, alphabeta.Budget{
		Stop: func() bool { return turn.over(ctx) }, Enough: turn.enough,
	})
	s.last = time.Since(turn.began)
	s.pace.took(s.last)
	return m
}

// report implements reporter.
func (s *paced) report() *record.SearchReport {
	r := s.minimaxer.report()
	r.Time = s.last
	return r
}

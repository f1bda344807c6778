package players

import (
	"math"
	"slices"
	"time"

	"versus2048/players/annoying"
	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

// ov3yOptions are the options of the kind ov3y.
type ov3yOptions struct {
	search annoying.Config
	budget budget
	exact  bool
	judge  judge
	seed   uint64
}

func ov3yKind() Kind {
	return entry[ov3yOptions]{
		name:    "ov3y",
		summary: "ov3y's 2048-AI: alpha-beta against the most annoying placements only, for 100 ms a move",
		options: (*ov3yOptions).settings,
		open:    func(o *ov3yOptions) error { return o.judge.open() },
		plays:   func(o ov3yOptions, r rules.Ruleset, s rules.Size) error { return o.judge.plays(r, s) },
		need: func(o ov3yOptions) Need {
			return Need{Memory: leastMemory + annoying.CacheBytes + o.judge.memory(), Threads: o.search.Threads}
		},
		player: ov3yOptions.player,
	}.kind()
}

func (o *ov3yOptions) settings() []setting {
	return slices.Concat([]setting{
		number(&o.budget.milliseconds, Option{
			Name: "time", Default: "100", Most: timeOption.Most,
			Meaning: "milliseconds for each move, after which the deepest finished search decides; 0 for no limit",
		}),
		number(&o.search.Depth, Option{
			Name: "depth", Default: "31", Least: 1, Most: annoying.MaxDepth,
			Meaning: "slides to look ahead at most, whoever moves first",
		}),
		toggle(&o.exact, Option{
			Name: "exact", Default: "false",
			Meaning: "look at the time only between two depths, as the original does, so that a move may take longer; a game's clock is obeyed all the same",
		}),
		toggle(&o.search.Win, Option{
			Name: "win", Default: "true",
			Meaning: "a 2048 ends the search, as in the original, until there is one on the board",
		}),
	}, o.judge.settings(heuristicOv3y), []setting{
		toggle(&o.search.Cache, Option{
			Name: "cache", Default: "false",
			Meaning: "keep what is known about boards that several lines of play reach",
		}),
		number(&o.search.Threads, Option{
			Name: "threads", Default: "1", Least: 1, Most: 256,
			Meaning: "threads that search together through a cache; with more than one a game cannot be repeated exactly",
		}),
		seedOption(&o.seed),
	})
}

func (o ov3yOptions) player(g Game) Player {
	return o.judge.player(g, func(j judge) Player { return o.judged(g, j) })
}

// judged returns the player with an evaluation.
func (o ov3yOptions) judged(g Game, j judge) Player {
	o.search.Evaluation = func(s rules.Size) annoying.Evaluation { return j.on(s) }
	search, pace := &ov3y{search: annoying.New(o.search), enough: math.MaxInt64}, o.budget.pace(g)
	if o.exact && o.budget.milliseconds > 0 {
		search.enough, pace = o.budget.limit(), newPace(g.Clock, 0)
	}
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: &timed{search, pace}}
}

// ov3y plays the best move by ov3y's search. It draws one of several equal moves.
type ov3y struct {
	search *annoying.Search
	enough time.Duration // no new depth begins after this time
}

func (o *ov3y) choose(p rules.Position, moves []rules.Move, g *playout.Generator, stop func() bool) rules.Move {
	g.Shuffle(moves)
	began := time.Now()
	enough := func() bool { return stop() || time.Since(began) >= o.enough }
	return o.search.Choose(p, moves, enough, stop)
}

// report returns the values of moves as evaluations, and their visits in positions.
func (o *ov3y) report() *record.SearchReport {
	s := o.search.Stats()
	r := record.SearchReport{Nodes: s.Nodes, Expanded: s.Expanded, Variation: s.Variation}
	for _, m := range s.Moves {
		r.Moves = append(r.Moves, record.RootMove{Move: m.Move, Value: float64(m.Value), Visits: m.Nodes})
	}
	return &r
}

package players

import (
	"versus2048/players/alphabeta"
	"versus2048/players/searching"
	"versus2048/rules"
)

// alphaBetaOptions are the options of the kinds alphabeta and champion.
type alphaBetaOptions struct {
	search alphabeta.Config
	leaves leafEvaluation
	budget budget
	ties   ties
	seed   uint64
}

func alphaBetaKind() Kind {
	return entry[alphaBetaOptions]{
		name:    "alphabeta",
		summary: "alpha-beta for both roles, with a choice of evaluations, mates by distance and reductions",
		options: (*alphaBetaOptions).settings,
		open:    func(o *alphaBetaOptions) error { return o.leaves.open() },
		plays:   func(o alphaBetaOptions, r rules.Ruleset, s rules.Size) error { return o.leaves.plays(r, s) },
		need:    alphaBetaOptions.need,
		player:  alphaBetaOptions.player,
	}.kind()
}

func (o *alphaBetaOptions) settings() []setting {
	return append(o.leaves.settings(heuristicReserve),
		deepeningDepth(number(&o.budget.depth, Option{
			Name: "depth", Default: "8", Least: 1, Most: alphabeta.MaxDepth,
			Meaning: "slides to look ahead, whoever moves first",
		}), &o.budget.milliseconds),
		number(&o.budget.milliseconds, alphaBetaTime("0")),
		number(&o.search.Table, Option{
			Name: "table", Default: "16", Least: searching.MinBits, Most: searching.MaxBits,
			Meaning: "logarithm of the number of entries of the transposition table, 16 bytes each",
		}),
		toggle(&o.search.Keep, Option{
			Name: "keep", Default: "false",
			Meaning: "keep the table from move to move; the moves then depend on the whole game",
		}),
		toggle(&o.search.Reductions, Option{
			Name: "reductions", Default: "true",
			Meaning: "search unlikely moves less deep; without reductions it plays the moves of minimax",
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

func alphaBetaThreads(field *int) setting { return threadsSetting(field, "") }

// need returns the memory and threads of a search: its table, its network, and a little memory for each thread.
func (o alphaBetaOptions) need() Need {
	return Need{
		Memory:  leastMemory + searching.TableBytes(o.search.Table) + uint64(o.search.Threads)<<17 + o.leaves.memory(),
		Threads: o.search.Threads,
	}
}

func (o alphaBetaOptions) player(g Game) Player {
	return o.leaves.player(g, func(e leafEvaluation) Player {
		return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.chooser(o.budget.pace(g), e.on)}
	})
}

// chooser returns a chooser that searches with an evaluation.
func (o alphaBetaOptions) chooser(p *pace, e func(rules.Size) searching.Evaluation) *pacedChooser {
	o.search.Evaluation = e
	c := o.budget.chooserWith(p, deepSearch{alphabeta.New(o.search), o.ties})
	c.patient = true
	return c
}

package players

import (
	"slices"

	"versus2048/players/annoying"
	"versus2048/rules"
)

// ov3yOptions are the options of the kind ov3y.
type ov3yOptions struct {
	search annoying.Config
	budget budget
	exact  bool
	leaves leafEvaluation
	seed   uint64
}

func ov3yKind() Kind {
	return entry[ov3yOptions]{
		name:    "ov3y",
		summary: "ov3y's 2048-AI: alpha-beta against the most annoying placements only, for 100 ms a move",
		options: (*ov3yOptions).settings,
		open:    func(o *ov3yOptions) error { return o.leaves.open() },
		plays:   func(o ov3yOptions, r rules.Ruleset, s rules.Size) error { return o.leaves.plays(r, s) },
		need: func(o ov3yOptions) Need {
			return Need{Memory: leastMemory + annoying.CacheBytes + o.leaves.memory(), Threads: o.search.Threads}
		},
		player: ov3yOptions.player,
	}.kind()
}

func (o *ov3yOptions) settings() []setting {
	return slices.Concat([]setting{
		o.budget.timeSetting("100", "; then the deepest finished search decides"),
		number(&o.budget.depth, Option{
			Name: "depth", Default: "31", Least: 1, Most: annoying.MaxDepth,
			Meaning: "slides to look ahead at most, whoever moves first",
		}),
		toggle(&o.exact, Option{
			Name: "exact", Default: "false",
			Meaning: "look at the time only between two depths, as the original does, so that a move may take longer; a game's clock is obeyed all the same",
		}),
		toggle(&o.search.Win, Option{
			Name: "win", Default: "true",
			Meaning: "a 2048 ends a line of the search, as in the original, unless the board already has one",
		}),
	}, o.leaves.settings(heuristicOv3y), []setting{
		toggle(&o.search.Cache, Option{
			Name: "cache", Default: "false",
			Meaning: "keep values of boards that several lines of play reach",
		}),
		threadsSetting(&o.search.Threads, " through a cache"),
		seedOption(&o.seed),
	})
}

func (o ov3yOptions) player(g Game) Player {
	return o.leaves.player(g, func(e leafEvaluation) Player { return o.playerWith(g, e) })
}

// playerWith returns the player with the evaluation e.
func (o ov3yOptions) playerWith(g Game, e leafEvaluation) Player {
	o.search.Evaluation = e.on
	chooser := o.budget.chooser(g, deepSearch{deepener: annoying.New(o.search)})
	chooser.pace.exact = o.exact
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: chooser}
}

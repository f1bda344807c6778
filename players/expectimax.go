package players

import (
	"slices"

	"versus2048/players/expectimax"
	"versus2048/rules"
)

// expectimaxOptions are the options of the kind expectimax.
type expectimaxOptions struct {
	search expectimax.Config
	budget budget
	leaves leafEvaluation
	rare   int // 1/search.Rare, 0 to follow all lines of play
	seed   uint64
}

func expectimaxKind() Kind {
	return entry[expectimaxOptions]{
		name:    "expectimax",
		summary: "expectimax: placements are weighted by their probability under a model of the attacker",
		options: (*expectimaxOptions).settings,
		open:    func(o *expectimaxOptions) error { return o.leaves.open() },
		plays:   func(o expectimaxOptions, r rules.Ruleset, s rules.Size) error { return o.leaves.plays(r, s) },
		need: func(o expectimaxOptions) Need {
			return Need{Memory: leastMemory + expectimax.TableBytes + o.leaves.memory(), Threads: 1}
		},
		player: func(o expectimaxOptions, g Game) Player {
			return o.leaves.player(g, func(e leafEvaluation) Player { return o.playerWith(g, e) })
		},
	}.kind()
}

// playerWith returns the player with the evaluation e.
func (o expectimaxOptions) playerWith(g Game, e leafEvaluation) Player {
	if o.rare > 0 {
		o.search.Rare = 1 / float64(o.rare)
	}
	e.configure(&o.search)
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.budget.chooser(g, deepSearch{deepener: expectimax.New(o.search)})}
}

func (o *expectimaxOptions) settings() []setting {
	return slices.Concat([]setting{
		deepeningDepth(number(&o.budget.depth, Option{
			Name: "depth", Default: "3", Least: 1, Most: expectimax.MaxDepth,
			Meaning: "slides to look ahead, whoever moves first",
		}), &o.budget.milliseconds),
		o.budget.timeSetting("0", "; then the best move searched so far is played"),
	}, o.leaves.settings(heuristicSlope), []setting{
		number(&o.search.Model, Option{
			Name: "model", Default: "chance", Choices: wordsUpTo(expectimax.Worst),
			Meaning: "the placements that are expected: chance, with a 4 in one case of ten; a 4 as often as a 2; or the worst for the defender",
		}),
		number(&o.rare, Option{
			Name: "rare", Default: "0", Most: 1_000_000_000,
			Meaning: "evaluate a line of play at once if its probability is below 1 in this number; 0 follows all lines",
		}),
		seedOption(&o.seed),
	})
}

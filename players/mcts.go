package players

import (
	"versus2048/players/mcts"
	"versus2048/players/playout"
)

// mctsOptions are the options of the kinds mcts and dag.
type mctsOptions struct {
	search mcts.Config
	budget budget
	seed   uint64
}

func mctsKind() Kind {
	return entry[mctsOptions]{
		name:    "mcts",
		summary: "Monte-Carlo tree search with UCB1 and random playouts: MCTS of Oka et al. 2015",
		options: func(o *mctsOptions) []setting { return append(o.settings(), seedOption(&o.seed)) },
		need:    func(o mctsOptions) Need { return o.need(treeNodeBytes) },
		player:  mctsOptions.player,
	}.kind()
}

func dagKind() Kind {
	return entry[mctsOptions]{
		name:    "dag",
		summary: "mcts with one node for equal positions: MCTS2 of Oka et al. 2015",
		options: func(o *mctsOptions) []setting {
			return append(o.settings(), canonicalOption(&o.search.Canonical, "false"), seedOption(&o.seed))
		},
		need: func(o mctsOptions) Need { return o.need(sharedNodeBytes) },
		player: func(o mctsOptions, g Game) Player {
			o.search.Share = true
			return o.player(g)
		},
	}.kind()
}

// settings binds the options that the kinds mcts and dag have in common.
func (o *mctsOptions) settings() []setting {
	return []setting{
		number(&o.budget.playouts, playoutsOption),
		number(&o.budget.milliseconds, timeOption),
		number(&o.search.Nodes, nodesOption),
		number(&o.search.Exploration, Option{
			Name: "c", Default: "1000", Most: 1_000_000,
			Meaning: "exploration in UCB1, in points",
		}),
		number(&o.search.ExpandAt, expandOption("5")),
		threadsSetting(&o.search.Threads, ", each with two playouts at once"),
		toggle(&o.search.Reuse, Option{
			Name: "reuse", Default: "false",
			Meaning: "start from the tree of the search for the previous move; the moves then depend on the whole game",
		}),
	}
}

func (o mctsOptions) player(g Game) Player {
	if g.Clock == (Clock{}) && o.budget.milliseconds == 0 {
		o.search.Pool = g.Pool
	}
	return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.budget.chooser(g, playoutSearch{mcts.New(o.search)})}
}

// need returns the need of a search. A search with Reuse copies the useful part of the previous tree, so it needs
// memory for two trees. Its playouts do not limit the size of a tree, which holds nodes of several searches.
func (o mctsOptions) need(nodeBytes int) Need {
	if o.search.Reuse {
		return treeNeed(2*o.search.Nodes, budget{milliseconds: 1}, 1, nodeBytes, o.search.Threads)
	}
	return treeNeed(o.search.Nodes, o.budget, o.search.ExpandAt, nodeBytes, o.search.Threads)
}

// mctsPlusOptions are the options of the kind mctsplus.
type mctsPlusOptions struct {
	search  mcts.PlusConfig
	percent int // search.Exploration in percent
	budget  budget
	seed    uint64
}

func mctsPlusKind() Kind {
	return entry[mctsPlusOptions]{
		name:    "mctsplus",
		summary: "dag with improvements that Oka et al. 2015 suggest: by default a search of evaluated positions",
		options: (*mctsPlusOptions).settings,
		need: func(o mctsPlusOptions) Need {
			return treeNeed(o.search.Nodes, o.budget, o.search.ExpandAt, sharedNodeBytes, 1)
		},
		player: func(o mctsPlusOptions, g Game) Player {
			o.search.Exploration = float64(o.percent) / 100
			return &bot{seed: g.Seed, ownSeed: o.seed, chooser: o.budget.chooser(g, playoutSearch{mcts.NewPlus(o.search)})}
		},
	}.kind()
}

func (o *mctsPlusOptions) settings() []setting {
	return []setting{
		number(&o.budget.playouts, playoutsOption),
		number(&o.budget.milliseconds, timeOption),
		number(&o.search.Nodes, nodesOption),
		number(&o.percent, Option{
			Name: "c", Default: "100", Most: 100_000,
			Meaning: "exploration in UCB1, in percent of the standard deviation of the rewards",
		}),
		number(&o.search.ExpandAt, expandOption("1")),
		canonicalOption(&o.search.Canonical, "true"),
		number(&o.search.Backup, Option{
			Name: "backup", Default: "edges", Choices: wordsUpTo(mcts.Minimax),
			Meaning: "where a node's value comes from: playouts credited to all ancestors, children's values weighted by edges, or the best child's value",
		}),
		number(&o.search.Leaf, Option{
			Name: "leaf", Default: "1", Least: 1, Most: 1024,
			Meaning: "playouts made at once from a leaf",
		}),
		number(&o.search.Policy, Option{
			Name: "policy", Default: "random", Choices: wordsUpTo(playout.Duel),
			Meaning: "how the moves of a playout are drawn: evenly; slides towards a corner first; the slide that scores most; the same against placements beside a largest tile",
		}),
		number(&o.search.Slides, Option{
			Name: "slides", Default: "0", Most: mcts.WholeGame,
			Meaning: "slides of a playout before it is cut off and evaluated; 0 evaluates the leaf itself, 1000000 plays to the end",
		}),
		number(&o.search.Mate, Option{
			Name: "mate", Default: "1000", Most: 1_000_000,
			Meaning: "points subtracted from the evaluation of a mated position, where playouts are cut off",
		}),
		number(&o.search.Reward, Option{
			Name: "reward", Default: "score", Choices: wordsUpTo(mcts.Rank),
			Meaning: "the reward of a playout: its score or evaluation, the logarithm of that, or its rank among the others from 0 to 1",
		}),
		seedOption(&o.seed),
	}
}

func expandOption(byDefault string) Option {
	return Option{
		Name: "expand", Default: byDefault, Least: 1, Most: 1_000_000,
		Meaning: "playouts from a leaf before it is expanded",
	}
}

func canonicalOption(field *bool, byDefault string) setting {
	return toggle(field, Option{
		Name: "canonical", Default: byDefault,
		Meaning: "share a node between positions that are equal under rotation and reflection",
	})
}

package players

import (
	"context"

	"versus2048/players/playout"
	"versus2048/rules"
	"versus2048/rules/record"
)

func mctsKind() Kind {
	return Kind{
		Name:    "mcts",
		Summary: "Monte-Carlo tree search with UCB1 and random playouts: MCTS of Oka et al. 2015",
		Options: append(mctsOptions(), seedOption()),
		build:   func(v values) chooser { return newMCTS(v) },
	}
}

func mctsOptions() []Option {
	return append(searchOptions(),
		Option{Name: "c", Default: "1000", Least: 0, Most: 1_000_000, Meaning: "exploration in UCB1, in points"},
		Option{Name: "expand", Default: "5", Least: 1, Most: 1_000_000, Meaning: "playouts of a leaf before it is expanded"},
		Option{Name: "threads", Default: "1", Least: 1, Most: 256, Meaning: "threads that search together, each with two playouts at once; with more than one a game can't be repeated exactly"},
		Option{Name: "reuse", Default: "false", Meaning: "begin with what the search for the move before has found; what is played then depends on the whole game"},
	)
}

// searchOptions are what limits any tree search.
func searchOptions() []Option {
	return []Option{
		{Name: "playouts", Default: "10000", Least: 1, Most: 100_000_000, Meaning: "random games a move"},
		{Name: "time", Default: "0", Least: 0, Most: 3_600_000, Meaning: "milliseconds a move, which then replace the number of playouts; 0 for none"},
		{Name: "nodes", Default: "2000000", Least: 64, Most: 100_000_000, Meaning: "positions kept at most, about 100 bytes each; then no leaf is expanded any more"},
	}
}

// mcts searches a tree that lives for one move, or with reuse for the game.
type mcts struct {
	ucbSearch
	budget  budget
	threads int
	reuse   bool
	last    searched
}

func newMCTS(v values) *mcts {
	return &mcts{
		ucbSearch: ucbSearch{
			graph:       graph{limit: int(v["nodes"])},
			leaves:      fairPlayout{},
			exploration: float64(v["c"]),
			expandAt:    int32(v["expand"]),
		},
		budget:  newBudget(v),
		threads: int(v["threads"]),
		reuse:   v["reuse"] == 1,
	}
}

func (m *mcts) choose(ctx context.Context, p rules.Position, _ []rules.Move, g *playout.Generator) rules.Move {
	m.last = beginSearch(p)
	clock := m.budget.start(ctx)
	if !m.reuse || !m.reroot(p, g) {
		m.start(p, g)
	}
	m.last.finish(m.run(clock, m.budget.playouts, m.threads, g))
	return m.moveIn(p, m.best())
}

// report implements reporter. A root move's value is its mean score.
func (m *mcts) report() *record.SearchReport { return m.last.report(&m.graph) }

// fairPlayout is the paper's evaluator: one random game, whose score is the
// reward.
type fairPlayout struct{}

func (fairPlayout) playouts(p rules.Position, random *playout.Generator) (total float64, n int32) {
	return float64(playout.Play(p, random)), 1
}

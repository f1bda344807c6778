package players

import (
	"context"

	"versus2048/rules"
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
	return []Option{
		{Name: "playouts", Default: "10000", Least: 1, Most: 100_000_000, Meaning: "random games a move"},
		{Name: "c", Default: "1000", Least: 0, Most: 1_000_000, Meaning: "exploration in UCB1, in points"},
		{Name: "expand", Default: "5", Least: 1, Most: 1_000_000, Meaning: "playouts of a leaf before it is expanded"},
	}
}

// mcts searches a tree that lives for one move.
type mcts struct {
	playouts int
	c        float64
	expand   int32
}

func newMCTS(v values) mcts {
	return mcts{playouts: int(v["playouts"]), c: float64(v["c"]), expand: int32(v["expand"])}
}

func (m mcts) choose(ctx context.Context, p rules.Position, _ []rules.Move, g *generator) rules.Move {
	s := m.search(graph{}, g)
	s.run(ctx, p, m.playouts)
	return s.best()
}

func (m mcts) search(on graph, g *generator) *ucbSearch {
	return &ucbSearch{graph: on, exploration: m.c, expandAt: m.expand, random: g}
}

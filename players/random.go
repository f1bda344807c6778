package players

import (
	"context"

	"versus2048/rules"
)

func randomKind() Kind {
	return Kind{
		Name:    "random",
		Summary: "draws uniformly from the legal moves",
		Options: []Option{seedOption()},
		build:   func(values) chooser { return random{} },
	}
}

type random struct{}

func (random) choose(_ context.Context, _ rules.Position, moves []rules.Move, g *generator) rules.Move {
	return moves[g.below(len(moves))]
}

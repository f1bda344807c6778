package players

import (
	"context"

	"versus2048/players/playout"
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

func (random) choose(_ context.Context, _ rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	return moves[g.Below(len(moves))]
}

package players

import (
	"context"

	"versus2048/rules"
)

func dagKind() Kind {
	canonical := Option{
		Name: "canonical", Default: "false",
		Meaning: "share a node between positions equal under rotation and reflection",
	}
	return Kind{
		Name:    "dag",
		Summary: "mcts in which equal positions share a node: MCTS2 of Oka et al. 2015",
		Options: append(mctsOptions(), canonical, seedOption()),
		build:   func(v values) chooser { return dag{newMCTS(v), v["canonical"] == 1} },
	}
}

// dag is mcts on a directed acyclic graph: a playout counts for every
// position that it could have come through.
type dag struct {
	mcts
	canonical bool
}

func (d dag) choose(ctx context.Context, p rules.Position, _ []rules.Move, g *generator) rules.Move {
	s := d.search(graph{shared: map[rules.Position]int32{}, canonical: d.canonical}, g)
	s.run(ctx, p, d.playouts)
	if !d.canonical {
		return s.best()
	}
	_, symmetry := p.Canonical()
	return symmetry.Inverse().Move(s.best(), p.Size())
}

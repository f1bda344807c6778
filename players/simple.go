package players

import (
	"context"

	"versus2048/players/playout"
	"versus2048/rules"
)

// simpleKind returns a kind of bot that has no option but its seed.
func simpleKind(name, summary string, c simple) Kind {
	return entry[uint64]{
		name: name, summary: summary,
		options: func(ownSeed *uint64) []setting { return []setting{seedOption(ownSeed)} },
		player: func(ownSeed uint64, g Game) Player {
			return &bot{seed: g.Seed, ownSeed: ownSeed, chooser: c}
		},
	}.kind()
}

// simple is a chooser that does not search.
type simple func(p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move

func (s simple) choose(_ context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	return s(p, moves, g)
}

// Chance returns the attacker of the solo rules: see [playout.ChooseChance]. It is the bot chance:seed=0.
func Chance(g Game) Player { return &bot{seed: g.Seed, chooser: simple(playout.ChooseChance)} }

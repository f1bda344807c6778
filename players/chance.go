package players

import (
	"context"

	"versus2048/players/playout"
	"versus2048/rules"
)

func chanceKind() Kind {
	return Kind{
		Name:    "chance",
		Summary: "places as the solo game does: any empty cell, a 4 in one case of ten; slides at random",
		Options: []Option{seedOption()},
		build:   func(values) chooser { return chance{} },
	}
}

// Chance is the attacker of the solo rules: it places on a cell drawn
// uniformly, a 4 with probability 1/10 where the rules know 4s. Asked to
// defend, it slides at random. It is the bot "chance" with its own seed 0.
func Chance(seed uint64) Player { return &bot{seed: seed, chooser: chance{}} }

type chance struct{}

func (chance) choose(_ context.Context, p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	total := 0
	for _, m := range moves {
		total += playout.ChanceWeight(p.Rules(), m)
	}
	drawn := g.Below(total)
	for _, m := range moves {
		if drawn -= playout.ChanceWeight(p.Rules(), m); drawn < 0 {
			return m
		}
	}
	panic("chance: the weights do not add up")
}

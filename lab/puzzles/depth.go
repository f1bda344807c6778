package puzzles

import (
	"context"
	"fmt"

	"versus2048/players"
	"versus2048/players/exact"
	"versus2048/rules"
)

// finder measures the difficulty of a puzzle: the number of slides that a bot must look ahead to find the best move.
// The bot is the minimax of Oka et al. (2015) or, against chance, expectimax.
type finder struct{ byDepth []players.Spec }

func newFinder(r rules.Ruleset) (f finder, err error) {
	bot := "evminimax:ties=first,depth=%d"
	if r.Chance() {
		bot = "expectimax:depth=%d"
	}
	for depth := 1; depth <= exact.MostPuzzleDepth; depth++ {
		spec, err := players.Parse(fmt.Sprintf(bot, depth))
		if err != nil {
			return f, err
		}
		f.byDepth = append(f.byDepth, spec)
	}
	return f, nil
}

// depth returns the least depth at which the bot plays the move, 0 if there is none.
func (f finder) depth(ctx context.Context, p rules.Position, best rules.Move) (int, error) {
	for i, spec := range f.byDepth {
		m, err := spec.New(players.Game{Seed: 1, Rules: p.Rules(), Size: p.Size()}).Choose(ctx, p)
		if err != nil {
			return 0, err
		}
		if m == best {
			return i + 1, nil
		}
	}
	return 0, nil
}

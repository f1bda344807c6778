package inbrowser

import (
	"versus2048/players/alphabeta"
	"versus2048/players/evaluation"
	"versus2048/players/playout"
	"versus2048/players/searching"
	"versus2048/rules"
)

// chooser chooses one of the legal moves of a position.
type chooser func(p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move

// chooser returns the simple bot that a question asks, nil for the champion. A browser need not load a network for a
// simple bot.
func (a Asked) chooser() chooser {
	switch a.Bot {
	case "greedy":
		return playout.ChooseGreedy
	case "evminimax:depth=1":
		return lookAhead
	case "chance":
		return playout.ChooseChance
	}
	return nil
}

// lookAhead chooses as the bot evminimax:depth=1 does.
func lookAhead(p rules.Position, moves []rules.Move, g *playout.Generator) rules.Move {
	g.Shuffle(moves) // the first of equal moves is chosen
	search := alphabeta.New(alphabeta.Config{
		Evaluation: func(s rules.Size) searching.Evaluation { return evaluation.New(s, evaluation.Variant{}) },
	})
	return search.Choose(p, moves, searching.Budget{Depth: 1})
}

// generator returns the random numbers for a move, as package players draws them for a bot without a seed of its own.
func (a Asked) generator(p rules.Position) playout.Generator {
	return playout.NewGenerator(a.Seed, 0, uint64(p.Ply()))
}

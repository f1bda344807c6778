package chore

import "versus2048/internal/farm"

// The kinds of batches.
const (
	Regret   farm.Kind = "regret"   // a bot's moves in positions of a sample
	SelfPlay farm.Kind = "selfplay" // games of a network against itself
)

// All returns how the batches of all kinds are done.
func All() map[farm.Kind]farm.Chore {
	return map[farm.Kind]farm.Chore{
		Regret:   farm.NewChore(validateMoves, chooseMoves, checkMoves),
		SelfPlay: farm.NewChore(validateGames, playGames, checkGames),
	}
}

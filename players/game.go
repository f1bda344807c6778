package players

import (
	"time"

	"versus2048/players/mcts"
	"versus2048/rules"
)

// Game is what a player is told of a game when it is made.
type Game struct {
	Seed  uint64 // for the player's random choices
	Clock Clock
	// Rules and Size are those of the game. The zero Size means that they are not known yet. A player that
	// knows them gets ready before its first move.
	Rules rules.Ruleset
	Size  rules.Size
	// Pool is shared by the games of an event that are played in one process; nil is none. Searches use
	// it if neither the game nor their options limit their time.
	Pool *Pool
}

// Pool lets the Monte-Carlo searches of several games make their playouts side by side. Each chooses
// the moves that it chooses alone: all together take less of the processor's time, each takes longer.
type Pool = mcts.Pool

// Clock is the time control of a game. A zero field sets no limit. The deadline of Choose says what is
// left for a move; the clock lets a player share out what is left for the game.
type Clock struct {
	PerMove   time.Duration // maximum for one move
	Base      time.Duration // each side's total at the start of the game
	Increment time.Duration // added to the total after each move
}

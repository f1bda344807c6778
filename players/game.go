package players

import (
	"time"

	"versus2048/players/mcts"
	"versus2048/rules"
)

// Game tells a new player about its game.
type Game struct {
	Seed  uint64 // for the player's random choices
	Clock Clock
	// Rules and Size are the game's rules and board size. The zero Size means that they are not known yet. A
	// player that knows them prepares before its first move.
	Rules rules.Ruleset
	Size  rules.Size
	// Pool is shared by the games of an event that one process plays. It is nil if there is none. Searches use
	// it if neither the game nor their options limit their time.
	Pool *Pool
}

// Pool lets the Monte-Carlo searches of several games make their playouts side by side. Each search chooses the
// same moves as alone. Together they use less processor time, but each one takes longer.
type Pool = mcts.Pool

// Clock is the time control of a game. A zero field sets no limit. The deadline of Choose is the end of the
// time for one move; the clock lets a player distribute its time over all moves of the game.
type Clock struct {
	PerMove   time.Duration // maximum for one move
	Base      time.Duration // each side's total at the start of the game
	Increment time.Duration // added to the total after each move
}

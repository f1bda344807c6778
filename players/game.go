package players

import "time"

// Game is what a player is told of a game when it is made.
type Game struct {
	Seed  uint64 // for the player's random choices
	Clock Clock
}

// Clock is the time control of a game. A zero field sets no limit. The deadline of Choose says what is
// left for a move; the clock lets a player share out what is left for the game.
type Clock struct {
	PerMove   time.Duration // maximum for one move
	Base      time.Duration // each side's total at the start of the game
	Increment time.Duration // added to the total after each move
}

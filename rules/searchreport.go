package rules

import "time"

// SearchReport is what a player says of the search behind one of its moves.
// It is the player's own word: nothing in the game depends on it. What the
// player does not know is left at zero.
type SearchReport struct {
	Playouts int64         // random games played
	Nodes    int64         // positions held in the tree, or visited where no tree is kept
	Expanded []int64       // by depth in plies below the root, from 0: positions that were given children
	Time     time.Duration // on the player's own clock
	// Variation is the principal variation: the moves that both sides were
	// expected to play, the chosen one first.
	Variation []Move
	Moves     []RootMove // what was found of the root's moves, the best first
}

// RootMove is what a search found of one move at its root.
type RootMove struct {
	Move   Move
	Value  float64 // what the search expects, in points of the final score unless the player says otherwise
	Visits int64   // playouts or positions spent on it
}

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
	// Pool is shared by the games that one process plays in an event. It is nil if there is none. A search of mcts
	// or dag with one thread uses it if neither the game's clock nor the options of the player limit its time.
	Pool *Pool
}

// Pool lets the Monte-Carlo searches of several games make their playouts side by side. Each search chooses the
// same moves as alone. Together they use less processor time, but each one takes longer.
type Pool = mcts.Pool

// Clock is the time control of an event and of each of its games. A zero field sets no limit. The deadline of Choose
// tells a player the time that it has for a move. The clock lets the player also share out its time for the whole game.
type Clock struct {
	PerMove   time.Duration `json:"per_move_ns" toml:"time_per_move"` // maximum for one move
	Base      time.Duration `json:"base_ns" toml:"time"`              // each side's total at the start of a game
	Increment time.Duration `json:"increment_ns" toml:"increment"`    // added to the total after each move; needs a Base
}

// Limit returns the time for the next move of a side that has used the given time for the given number of moves in the
// game. ok is false if the clock sets no limit. The limit is negative if the side has overdrawn its total.
func (c Clock) Limit(used time.Duration, moves int) (limit time.Duration, ok bool) {
	if c.Base <= 0 {
		return c.PerMove, c.PerMove > 0
	}
	left := c.Base + time.Duration(moves)*c.Increment - used
	if c.PerMove > 0 {
		left = min(left, c.PerMove)
	}
	return left, true
}

// Need is the most that a bot uses to play one game.
type Need struct {
	Memory  uint64 // bytes, rounded up generously
	Threads int    // that search at once
}

// leastMemory is the part of every player's need, in bytes, that no other term counts. It is enough for evminimax, with
// its tables.
const leastMemory = 2 << 20

// The memory of a node in bytes, with its edges and its parents. It is rounded up from measurements: 190 to 235 bytes
// in a tree, and up to 320 if nodes are shared. The measurements are of the peak memory of a process. So they include
// free space in slices that grow, and memory that the garbage collector has not yet collected. See docs/SECURITY.md.
const (
	treeNodeBytes   = 256
	sharedNodeBytes = 384
)

// mostChildren is the largest number of nodes that one expansion adds.
const mostChildren = 32

// treeNeed returns the need of a search. nodes is the largest number of positions that the search keeps, and
// nodeBytes is the size of each. The search adds the children of a leaf after expandAt playouts from the leaf.
func treeNeed(nodes int, b budget, expandAt, nodeBytes, threads int) Need {
	most := uint64(nodes)
	if b.milliseconds == 0 {
		most = min(most, mostChildren*(uint64(b.playouts)/uint64(expandAt)+2))
	}
	return Need{Memory: leastMemory + most*uint64(nodeBytes), Threads: threads}
}

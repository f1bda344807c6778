package tournament

import (
	"time"

	"versus2048/rules/record"
)

// Clock is a time control. A zero field sets no limit.
type Clock struct {
	PerMove   time.Duration // the longest that one move may take
	Base      time.Duration // each side's total at the start of a game
	Increment time.Duration // added to the total after each move; counts only with a Base
}

// Limit is the time for the next move of a side that has used so much time for
// so many moves in the game. It is not ok if nothing limits it. It is negative
// where the side has overdrawn its total.
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

// stopwatch is what each side has used of its clock.
type stopwatch struct {
	used  [2]time.Duration
	moves [2]int
}

// replayed is the stopwatch after the plies of a record.
func replayed(r *record.Record) stopwatch {
	var w stopwatch
	side := r.Start.SideToMove()
	for _, t := range r.Times {
		w.used[side] += t
		w.moves[side]++
		side = side.Other()
	}
	return w
}

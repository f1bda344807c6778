package tournament

import "time"

// Clock is a time control. A zero field sets no limit.
type Clock struct {
	PerMove   time.Duration // the longest that one move may take
	Base      time.Duration // each side's total at the start of a game
	Increment time.Duration // added to the total after each move; needs Base
}

// Limit is the time for the next move of a side that has used the given times
// for its earlier moves in the game. It is not ok if there is no limit.
func (c Clock) Limit(used []time.Duration) (limit time.Duration, ok bool) {
	limit, ok = c.PerMove, c.PerMove > 0
	if c.Base <= 0 {
		return limit, ok
	}
	left := c.Base
	for _, u := range used {
		left += c.Increment - u
	}
	if !ok || left < limit {
		limit = left
	}
	return max(limit, 0), true
}

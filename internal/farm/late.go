package farm

import (
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// In a game with a clock, a search stops at the time limit of its move, less a margin of at most half of the limit. So
// if a move has taken less than half of the limit, the clock has not stopped its search. If the same move takes the
// arena less than an eighth, the clock can hardly have stopped the search on another machine. All times are in the
// arena's measure.
const (
	lateShare   = 2
	doubtsShare = 8
)

// mostDoubts limits the doubtful explanations of a worker: fewer are accepted.
const mostDoubts = 3

// excuses reports whether a clock may explain why a worker's result is not the arena's own. Of a worker's doubtful
// explanations, which are hard to believe, it accepts fewer than mostDoubts.
func (c *checks) excuses(worker string, may, doubtful bool) bool {
	if may && doubtful {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.doubts[worker]++
		may = c.doubts[worker] < mostDoubts
	}
	if may {
		c.farm.config.Log.Warn("a check shows nothing: the time for a move may have been over", "worker", worker)
	}
	return may
}

// timeFor returns the time for the move at a ply of a game. ok is false if a clock sets no limit.
func timeFor(clock tournament.Clock, r *record.Record, ply int) (limit time.Duration, ok bool) {
	var used time.Duration
	moves := 0
	for i := ply - 2; i >= 0; i -= 2 { // the sides take turns
		used += r.Times[i]
		moves++
	}
	return clock.Limit(used, moves)
}

// late reports whether a clock may explain why a worker's games differ from the arena's own games, which had no clock,
// and whether this explanation is doubtful.
func late(clock tournament.Clock, played, own []tournament.Game) (may, doubtful bool) {
	for i := range own {
		x, y := &played[i].Record, &own[i].Record
		ply, differ := parting(x, y)
		if !differ {
			continue
		}
		limit, limited := timeFor(clock, x, ply)
		switch {
		case !limited:
		case ply < len(x.Times):
			may = x.Times[ply] >= limit/lateShare
		default:
			may = x.Ending == record.Time
		}
		return may, may && ply < len(y.Times) && y.Times[ply] < limit/doubtsShare
	}
	return false, false
}

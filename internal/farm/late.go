package farm

import (
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// A search in a game with a clock ends with the time for its move, of which a margin takes half at most. So a move that has taken
// less than half is one that the search has chosen by itself; and if it takes the arena less than an eighth, it is hard to believe
// that the time was over on another machine, in the arena's time.
const (
	lateShare   = 2
	doubtsShare = 8
)

// mostDoubts is how many such moves are too many.
const mostDoubts = 3

// excuses reports whether a worker may have another result than the arena because of a clock, but not for the third time if that is
// hard to believe.
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

// late reports whether a clock may be why games that a worker has played are others than the arena's own, which had none, and
// whether that is hard to believe.
func late(clock tournament.Clock, played, own []tournament.Game) (may, doubtful bool) {
	for i := range own {
		x, y := &played[i].Record, &own[i].Record
		ply := 0
		for ply < min(len(x.Moves), len(y.Moves)) && x.Moves[ply] == y.Moves[ply] {
			ply++
		}
		if ply == len(x.Moves) && ply == len(y.Moves) && x.Ending == y.Ending {
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

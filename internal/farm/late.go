package farm

import (
	"time"

	"versus2048/rules/record"
	"versus2048/tournament"
)

// In a game with a clock, a search stops at the time limit of its move, less a margin of at most half of the limit. So
// if a move has taken less than half of the limit, the clock has not stopped its search. If the same move takes the
// arena less than an eighth, the clock can hardly have stopped the search on another machine. All times are scaled to
// the arena's machine.
const (
	lateShare   = 2
	doubtsShare = 8
)

// mostDoubts limits the doubtful explanations of a worker: fewer are accepted.
const mostDoubts = 3

// excuses reports whether the arena accepts a clock as the explanation why a worker's result differs from the arena's
// own. doubtful means that the explanation is hard to believe. The arena accepts fewer than mostDoubts doubtful
// explanations from each worker.
func (c *checks) excuses(worker string, doubtful bool) bool {
	accepted := true
	if doubtful {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.doubts[worker]++
		accepted = c.doubts[worker] < mostDoubts
	}
	if accepted {
		c.farm.config.Log.Warn("a check shows nothing: the time for a move may have been over", "worker", worker)
	}
	return accepted
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

// late compares a worker's games with the arena's own games, which had no clock. unexplained describes the first
// difference that no clock explains, or is "" if a clock may explain all differences. doubtful reports whether one of
// the explanations is doubtful.
func late(clock tournament.Clock, played, own []tournament.Game) (unexplained string, doubtful bool) {
	before := false // an earlier game of the match differs
	for i := range own {
		x, y := &played[i].Record, &own[i].Record
		ply, differ := parting(x, y)
		if !differ || before && decided(x, y, ply) {
			continue
		}
		limit, limited := timeFor(clock, x, ply)
		switch {
		case !limited,
			ply < len(x.Times) && x.Times[ply] < limit/lateShare,
			ply >= len(x.Times) && x.Ending != record.Time:
			return difference(played[i:], own[i:]), false
		}
		before = true
		doubtful = doubtful || ply < len(y.Times) && y.Times[ply] < limit/doubtsShare
	}
	return "", doubtful
}

// decided reports whether two records of a match's second game differ after a ply because one of them was decided
// there. The score of the first game decides the second game early. So if the first games differ, this difference shows
// nothing.
func decided(x, y *record.Record, ply int) bool {
	ends := func(r *record.Record) bool { return ply == len(r.Moves) && r.Ending == record.Decided }
	return ends(x) || ends(y)
}

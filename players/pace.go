package players

import (
	"context"
	"time"

	"versus2048/players/searching"
	"versus2048/rules"
)

// pace distributes a player's time over its moves.
type pace struct {
	clock    Clock         // the time control of the game
	own      time.Duration // time for each move by the player's own option; 0 for no limit
	exact    bool          // the player's own option only limits the time at which a depth may begin
	left     time.Duration // rest of the total time for the game, as the player counts it
	lastMove time.Duration // time of the last move
}

// newPace returns the pace of a new game.
func newPace(c Clock, own time.Duration) *pace { return &pace{clock: c, own: own, left: c.Base} }

// turn is the time for one move.
type turn struct {
	began     time.Time
	target    time.Time // the usual end of the search; zero if unused time is lost
	end       time.Time // the latest end of the search; zero for no limit
	lastBegin time.Time // the latest beginning of a depth; zero for no limit
	finished  time.Time // the end of the last depth, if the turn is cut
}

// leastMovesLeft is the smallest estimate of the number of moves that a game will still last. The estimate is
// the number of moves so far if that is larger.
const leastMovesLeft = 400

// patience is the largest multiple of the target time that a search may take.
const patience = 4

// next returns the time for the move at the given ply. If the game has a total time, the target is a share of the rest
// plus three quarters of the increment, at most half of the rest. Otherwise the context and the option alone limit the
// time.
func (p *pace) next(ctx context.Context, now time.Time, ply int) turn {
	t := turn{began: now}
	if deadline, ok := ctx.Deadline(); ok {
		t.end = deadline
		p.correct(deadline.Sub(now))
	}
	switch {
	case p.exact && p.own > 0:
		t.lastBegin = now.Add(p.own)
	case p.own > 0:
		t.limit(now.Add(p.own))
	}
	if p.clock.Base > 0 {
		share := p.left/time.Duration(max(leastMovesLeft, ply/2)) + p.clock.Increment*3/4
		share = max(0, min(share, p.left/2))
		t.target = now.Add(share)
		t.limit(now.Add(min(patience*share, p.left*3/4)))
	}
	return t
}

// correct corrects the rest of the total time, for example after a restart or forced moves. left is the time until the
// deadline of the move. A margin (see WithMargin) takes at most half of the time for a move. So if left is less than a
// quarter of the limit for one move, the deadline comes from the total time. Any other deadline only shows that at
// least left remains of the total time.
func (p *pace) correct(left time.Duration) {
	if p.clock.PerMove == 0 || left < p.clock.PerMove/4 {
		p.left = left
	} else {
		p.left = max(p.left, left)
	}
}

// limit ends the turn at the given time, unless it ends earlier.
func (t *turn) limit(end time.Time) {
	if t.end.IsZero() || end.Before(t.end) {
		t.end = end
	}
}

// cut ends the turn at its target, if it has one.
func (t *turn) cut() {
	if !t.target.IsZero() {
		t.limit(t.target)
		t.finished = t.began
	}
}

// limited reports whether a clock or an option limits the turn.
func (t *turn) limited() bool { return !t.end.IsZero() || !t.lastBegin.IsZero() }

// over reports whether the turn is over. It looks at the time itself, since the timer of a context may fire
// late when all cores are busy.
func (t *turn) over(ctx context.Context) bool {
	return ctx.Err() != nil || !t.end.IsZero() && !time.Now().Before(t.end)
}

// enough reports whether the search should end: the game is decided, the time to begin a depth is over, or more
// search is not worth the time that it takes from later moves. The last reason does not apply if unused time is lost.
func (t *turn) enough(p searching.Progress) bool {
	switch now := time.Now(); {
	case p.Decided, !t.lastBegin.IsZero() && !now.Before(t.lastBegin):
		return true
	case t.target.IsZero():
		return false
	case p.Steady == 0:
		return t.settled(p, now.Sub(t.began))
	case t.finished.IsZero():
		return t.deepEnough(p, now.Sub(t.began))
	default:
		return t.hopeless(now)
	}
}

// hopeless reports whether the next depth, which takes longer than the last one, cannot be finished in a turn that
// is cut. It is called at the end of each depth, and notes that end.
func (t *turn) hopeless(now time.Time) bool {
	last := now.Sub(t.finished)
	t.finished = now
	return now.Add(last).After(t.end)
}

// deepEnough reports whether a deeper search is not worth its time. Each depth takes about as long as all earlier
// depths together, or longer. So a depth is begun only in the first half of the time up to the target, or in the
// first third if the choice has been the same for four depths. After a depth that has changed the choice, the next
// one is begun even after the target, until twice that time has passed.
func (t *turn) deepEnough(p searching.Progress, elapsed time.Duration) bool {
	share := t.target.Sub(t.began)
	switch {
	case p.Steady == 1:
		share *= 2
	case p.Steady < 4:
		share /= 2
	default:
		share /= 3
	}
	return elapsed > share
}

// settled reports whether no other move can catch up with the visits of the choice before the end, even if the search
// becomes twice as fast. docs/adr/0033-search-face.md tells how often the choice would still have changed.
func (t *turn) settled(p searching.Progress, elapsed time.Duration) bool {
	left := t.end.Sub(t.began) - elapsed
	measured := elapsed > left/8 // until then it is not known how fast the search is
	return measured && float64(p.Lead)*float64(elapsed) > 2*float64(p.Playouts)*float64(left)
}

// spend searches in the time for the move at the given ply, and records the time that it took.
func (p *pace) spend(ctx context.Context, ply int, search func(t *turn) rules.Move) rules.Move {
	t := p.next(ctx, time.Now(), ply)
	m := search(&t)
	p.lastMove = time.Since(t.began)
	p.deduct(p.lastMove)
	return m
}

// deduct subtracts the time of a move from the total time, and adds the increment.
func (p *pace) deduct(d time.Duration) { p.left = max(0, p.left-d) + p.clock.Increment }

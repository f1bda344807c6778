package players

import (
	"context"
	"time"

	"versus2048/players/searching"
	"versus2048/rules"
)

// pace shares out a player's time among its moves.
type pace struct {
	clock Clock         // of the game
	own   time.Duration // for each move, by the player's own option; 0 for no limit
	exact bool          // the option only limits when a depth may begin
	left  time.Duration // of the total for the game, as the player counts it
	last  time.Duration // took the last move
}

// newPace returns the pace of a game that begins.
func newPace(c Clock, own time.Duration) *pace { return &pace{clock: c, own: own, left: c.Base} }

// turn is the time for one move.
type turn struct {
	began  time.Time
	target time.Time // when the search should end, if nothing speaks for longer; zero if time that is not used is lost
	end    time.Time // when it has to end; zero for never
	last   time.Time // when the last depth may begin; zero for no limit
}

// A game lasts for as many more moves as it has lasted, as far as one can tell, but for leastMovesLeft
// at least.
const leastMovesLeft = 400

// patience is how many times the target a search may take.
const patience = 4

// next returns the time for the move at the given ply. If the game has a total, that is a share of what
// is left and most of the increment. Otherwise it is all that the context and the option give.
func (p *pace) next(ctx context.Context, now time.Time, ply int) turn {
	t := turn{began: now}
	if deadline, ok := ctx.Deadline(); ok {
		t.end = deadline
		p.correct(deadline.Sub(now))
	}
	switch {
	case p.exact && p.own > 0:
		t.last = now.Add(p.own)
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

// correct corrects what is left of the total by what is left until the deadline, for example after a restart or forced
// moves. A deadline far below the time for a move, of which a margin takes half at most, is the end of the total; with
// another one there is at least as much left.
func (p *pace) correct(left time.Duration) {
	if p.clock.PerMove == 0 || left < p.clock.PerMove/4 {
		p.left = left
	} else {
		p.left = max(p.left, left)
	}
}

// limit ends the turn at a time, if it would not end before.
func (t *turn) limit(end time.Time) {
	if t.end.IsZero() || end.Before(t.end) {
		t.end = end
	}
}

// limitToTarget ends the turn at its target, if it has one.
func (t *turn) limitToTarget() {
	if !t.target.IsZero() {
		t.limit(t.target)
	}
}

// limited reports whether a clock or an option limits the turn.
func (t *turn) limited() bool { return !t.end.IsZero() || !t.last.IsZero() }

// over reports whether the turn is over. It looks at the time itself, since the timer of a context may
// fire late when all cores are busy.
func (t *turn) over(ctx context.Context) bool {
	return ctx.Err() != nil || !t.end.IsZero() && !time.Now().Before(t.end)
}

// enough reports whether more search would not pay. Time that is not used and is lost is always used, unless the game is
// decided.
func (t *turn) enough(p searching.Progress) bool {
	switch now := time.Now(); {
	case p.Decided, !t.last.IsZero() && !now.Before(t.last):
		return true
	case t.target.IsZero():
		return false
	case p.Steady > 0:
		return t.deepEnough(p, now.Sub(t.began))
	default:
		return t.settled(p, now.Sub(t.began))
	}
}

// deepEnough reports whether a deeper search would not pay. Each depth takes about as long as all before it
// together, or longer: one is begun only in the first half of the time to the target, and earlier if
// the choice has been the same for several depths.
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

// settled reports whether no other move can be visited as often as the choice until the end, even if the search becomes twice
// as fast. docs/adr/0033-search-face.md has how often the choice would still have changed.
func (t *turn) settled(p searching.Progress, elapsed time.Duration) bool {
	left := t.end.Sub(t.began) - elapsed
	measured := elapsed > left/8 // until then it is not known how fast the search is
	return measured && float64(p.Lead)*float64(elapsed) > 2*float64(p.Playouts)*float64(left)
}

// spend searches in the time for the move at the given ply, and notes how long that took.
func (p *pace) spend(ctx context.Context, ply int, search func(t *turn) rules.Move) rules.Move {
	t := p.next(ctx, time.Now(), ply)
	m := search(&t)
	p.last = time.Since(t.began)
	p.took(p.last)
	return m
}

// took notes how long a move took.
func (p *pace) took(d time.Duration) { p.left = max(0, p.left-d) + p.clock.Increment }

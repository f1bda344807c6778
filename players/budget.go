package players

import (
	"context"
	"math"
	"time"
)

// budget is what a search may take for one move.
type budget struct {
	playouts int
	time     time.Duration // 0 for no limit
}

// newBudget reads the options playouts and time.
func newBudget(v values) budget {
	if t := v["time"]; t > 0 {
		return budget{math.MaxInt32, time.Duration(t) * time.Millisecond}
	}
	return budget{playouts: int(v["playouts"])}
}

// clock tells a search when its time is up. It looks at the time itself: where
// all cores are busy a context's timer was measured to fire 20 ms late.
type clock struct {
	ctx      context.Context
	deadline time.Time // zero for none
}

// start starts the clock of a search that also ends with ctx.
func (b budget) start(ctx context.Context) clock {
	c := clock{ctx: ctx}
	c.deadline, _ = ctx.Deadline()
	if b.time > 0 {
		if own := time.Now().Add(b.time); c.deadline.IsZero() || own.Before(c.deadline) {
			c.deadline = own
		}
	}
	return c
}

// expired tells whether the search has to end.
func (c clock) expired() bool {
	return c.ctx.Err() != nil || !c.deadline.IsZero() && !time.Now().Before(c.deadline)
}

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

// limit ends ctx when the time is up.
func (b budget) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.time == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, b.time)
}

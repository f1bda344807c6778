package testkit

import (
	"context"
	"sync/atomic"
)

// Countdown is a context that ends after its Err was called a number of times. Done stays open.
type Countdown struct {
	context.Context
	left atomic.Int64
}

// NewCountdown returns a context that says that many times, 0 or more, that it has not ended.
func NewCountdown(ctx context.Context, steps int64) *Countdown {
	c := &Countdown{Context: ctx}
	c.left.Store(steps)
	return c
}

// Err returns context.Canceled once the steps are used up, and counts one.
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Ended reports whether Err has said so.
func (c *Countdown) Ended() bool { return c.left.Load() < 0 }

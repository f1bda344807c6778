package testkit

import (
	"context"
	"sync/atomic"
)

// Countdown is a context that ends after a number of calls of its Err. Its Done stays open then.
type Countdown struct {
	context.Context
	left atomic.Int64
}

// NewCountdown returns a context whose Err returns nil in the first steps calls. steps is 0 or more.
func NewCountdown(ctx context.Context, steps int64) *Countdown {
	c := &Countdown{Context: ctx}
	c.left.Store(steps)
	return c
}

// Err counts one call. It returns context.Canceled once the calls are used up.
func (c *Countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Ended reports whether Err has returned an error.
func (c *Countdown) Ended() bool { return c.left.Load() < 0 }

package countdown

import (
	"context"
	"sync/atomic"
)

// Context ends once it was asked a number of times whether it has. Only Err tells: Done stays open.
type Context struct {
	context.Context
	left atomic.Int64
}

// New returns a context that says that many times, 0 or more, that it has not ended.
func New(ctx context.Context, steps int64) *Context {
	c := &Context{Context: ctx}
	c.left.Store(steps)
	return c
}

// Err returns context.Canceled once the steps are used up, and counts one.
func (c *Context) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Ended reports whether Err has said so.
func (c *Context) Ended() bool { return c.left.Load() < 0 }

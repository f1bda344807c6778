package llm

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// pace decides when an endpoint may be asked.
type pace struct {
	limiter *rate.Limiter

	mu    sync.Mutex
	until time.Time // no request may begin before this time: the endpoint has asked for a pause
}

func newPace(perMinute int) *pace {
	limit := rate.Inf
	if perMinute > 0 {
		limit = rate.Every(time.Minute / time.Duration(perMinute))
	}
	return &pace{limiter: rate.NewLimiter(limit, 1)}
}

// errNoTime means that the endpoint may not be asked before the context ends.
var errNoTime = errors.New("its limit of requests leaves no time for another one")

// wait waits until the endpoint may be asked. If that is after the deadline of ctx, wait returns errNoTime at once.
func (p *pace) wait(ctx context.Context) error {
	for {
		if err := p.rest(ctx); err != nil {
			return err
		}
		if err := p.limiter.Wait(ctx); err != nil && ctx.Err() == nil {
			return errNoTime
		}
		if ctx.Err() != nil || p.left() <= 0 { // else a pause has begun meanwhile
			return ctx.Err()
		}
	}
}

// rest waits until the pause is over. If that is after the deadline of ctx, rest returns errNoTime at once.
func (p *pace) rest(ctx context.Context) error {
	for left := p.left(); left > 0; left = p.left() {
		if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < left {
			return errNoTime
		}
		select {
		case <-time.After(left):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}

// pause lets no request begin for some time.
func (p *pace) pause(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until := time.Now().Add(d); until.After(p.until) {
		p.until = until
	}
}

// left returns the rest of the pause.
func (p *pace) left() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.until)
}

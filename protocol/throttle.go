package protocol

import (
	"time"

	"golang.org/x/time/rate"
)

// Throttle bounds how fast a connection is read, or all connections that share
// it. Before the next read the connection waits, so that the other end is held
// back by TCP and pays with its own time.
type Throttle struct {
	unasked *rate.Limiter // messages that nobody asked for
	bytes   *rate.Limiter
}

// NewThrottle returns a throttle that lets this many unasked messages and bytes
// through each second, and as many at once after a pause. 0 means no limit.
func NewThrottle(unasked, bytes int) *Throttle {
	return &Throttle{newLimiter(unasked), newLimiter(bytes)}
}

func newLimiter(perSecond int) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), perSecond)
}

// take takes n from a limiter and returns how long to wait.
func take(l *rate.Limiter, n int) time.Duration {
	if l.Limit() == rate.Inf {
		return 0
	}
	return l.ReserveN(time.Now(), min(n, l.Burst())).Delay()
}

// pacer makes the reader of one connection wait.
type pacer struct {
	throttles []*Throttle   // its own, and that of its address if there is one
	held      func()        // is called when the reader has to wait
	ended     chan struct{} // closed when the connection ends
}

// read waits after n bytes have been read.
func (p *pacer) read(n int) {
	var wait time.Duration
	for _, t := range p.throttles {
		wait = max(wait, take(t.bytes, n))
	}
	p.wait(wait)
}

// unasked waits after a message that nobody asked for.
func (p *pacer) unasked() {
	var wait time.Duration
	for _, t := range p.throttles {
		wait = max(wait, take(t.unasked, 1))
	}
	p.wait(wait)
}

func (p *pacer) wait(d time.Duration) {
	if d <= 0 {
		return
	}
	p.held()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.ended:
	}
}

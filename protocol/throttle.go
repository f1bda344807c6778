package protocol

import (
	"time"

	"golang.org/x/time/rate"
)

// Throttle bounds how fast one or several connections are read. A connection that is too fast waits
// before its next read, so that TCP holds back the other end.
type Throttle struct {
	unasked *rate.Limiter // messages that answer no request
	bytes   *rate.Limiter
}

// NewThrottle returns a throttle for this many unasked messages and bytes per second. After a pause of
// a second or more it lets through at once the messages and bytes of one second. 0 means no limit.
func NewThrottle(unasked, bytes int) *Throttle {
	return &Throttle{newLimiter(unasked), newLimiter(bytes)}
}

// Full reports whether the throttle would now let through as much at once as a new one. A nil throttle is full.
func (t *Throttle) Full() bool { return t == nil || full(t.unasked) && full(t.bytes) }

// full reports whether a limiter has its whole burst.
func full(l *rate.Limiter) bool { return l.Tokens() >= float64(l.Burst()) }

func newLimiter(perSecond int) *rate.Limiter {
	if perSecond == 0 {
		return rate.NewLimiter(rate.Inf, 0)
	}
	return rate.NewLimiter(rate.Limit(perSecond), perSecond)
}

// take takes n from a limiter, or its burst if n is larger, and returns the time to wait.
func take(l *rate.Limiter, n int) time.Duration {
	if l.Limit() == rate.Inf {
		return 0
	}
	return l.ReserveN(time.Now(), min(n, l.Burst())).Delay()
}

// pacer makes the reader of one connection wait.
type pacer struct {
	throttles []*Throttle   // the connection's own throttle, and the throttle of its address if there is one
	onWait    func()        // called when the reader has to wait
	ended     chan struct{} // closed when the connection ends
}

// waitAfterRead waits after n bytes have been read.
func (p *pacer) waitAfterRead(n int) {
	p.wait(n, func(t *Throttle) *rate.Limiter { return t.bytes })
}

// waitAfterUnasked waits after a message that answers no request.
func (p *pacer) waitAfterUnasked() {
	p.wait(1, func(t *Throttle) *rate.Limiter { return t.unasked })
}

// wait takes n from a limiter of each throttle, and waits for the slowest.
func (p *pacer) wait(n int, limiter func(*Throttle) *rate.Limiter) {
	var d time.Duration
	for _, t := range p.throttles {
		d = max(d, take(limiter(t), n))
	}
	if d <= 0 {
		return
	}
	p.onWait()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.ended:
	}
}

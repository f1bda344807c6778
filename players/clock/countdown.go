package clock

import (
	"math"
	"sync"
	"time"
)

// Unlimited is the span of a countdown that never ends.
const Unlimited time.Duration = math.MaxInt64

// Recovery is the extra time of a countdown after a stall of this process: answers that arrived during the
// stall must be read before the time is up.
const Recovery = 100 * time.Millisecond

// Countdown counts down a span of time. It stands still while it is stopped, and while this process stalls. Its
// methods may be called by several goroutines.
type Countdown struct {
	source Source // nil if there are no stalls
	over   chan struct{}

	mu      sync.Mutex
	span    time.Duration
	running bool
	since   time.Time     // the time of the last start or stop
	from    time.Duration // the source's reading at the last start
	sum     Reading       // the reading at since
	timer   *time.Timer   // nil before the first start, and without a limit
	ended   bool          // whether over is closed
}

// Reading divides the time since the first start of a countdown into three parts.
type Reading struct {
	Used    time.Duration // while the countdown ran
	Stalled time.Duration // while it stood still because this process was stalled
	Stopped time.Duration // while it was stopped
}

// NewCountdown returns a stopped countdown. source may be nil.
func NewCountdown(source Source, span time.Duration) *Countdown {
	return &Countdown{source: source, span: span, over: make(chan struct{})}
}

// Over returns a channel that is closed when the countdown has run down. After a stall it is closed Recovery later.
func (c *Countdown) Over() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.over
}

// Start lets the countdown run. It does nothing if the countdown is running.
func (c *Countdown) Start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running {
		return
	}
	now := time.Now()
	if !c.since.IsZero() {
		c.sum.Stopped += now.Sub(c.since)
	}
	c.run(now)
}

// run lets the countdown run from now on. The caller holds the lock.
func (c *Countdown) run(now time.Time) {
	c.running, c.since = true, now
	if c.source != nil {
		c.from = c.source.Running(now)
	}
	c.check()
}

// Stop makes the countdown stand still. It does nothing if the countdown is not running.
func (c *Countdown) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.running {
		return
	}
	now := time.Now()
	c.sum = c.readAt(now)
	c.halt(now)
}

// halt makes the countdown stand still from now on. The caller holds the lock.
func (c *Countdown) halt(now time.Time) {
	c.running, c.since = false, now
	if c.timer != nil {
		c.timer.Stop()
	}
}

// Reset gives the countdown a new span and a reading of zero. The countdown must be stopped and must not be over.
func (c *Countdown) Reset(span time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.span, c.sum, c.since = span, Reading{}, time.Time{}
}

// Left returns the rest of the span, at least 0.
func (c *Countdown) Left() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, c.span-c.readAt(time.Now()).Used)
}

// Limited reports whether the countdown can end.
func (c *Countdown) Limited() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.span != Unlimited
}

// Read returns the reading up to now.
func (c *Countdown) Read() Reading {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.readAt(time.Now())
}

// readAt returns the reading up to the given time. The caller holds the lock.
func (c *Countdown) readAt(now time.Time) Reading {
	r := c.sum
	switch {
	case c.running:
		elapsed := now.Sub(c.since)
		used := elapsed
		if c.source != nil {
			used = min(elapsed, c.source.Running(now)-c.from)
		}
		r.Used += used
		r.Stalled += elapsed - used
	case !c.since.IsZero():
		r.Stopped += now.Sub(c.since)
	}
	return r
}

// check ends the countdown if it has run down. Otherwise it sets a timer for the next check. The caller holds
// the lock.
func (c *Countdown) check() {
	if c.span == Unlimited || c.ended || !c.running {
		return
	}
	r := c.readAt(time.Now())
	left := c.span - r.Used
	if r.Stalled > 0 {
		left += Recovery
	}
	switch {
	case left <= 0:
		c.ended = true
		close(c.over)
	case c.timer == nil:
		c.timer = time.AfterFunc(left, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.check()
		})
	default:
		c.timer.Reset(left)
	}
}

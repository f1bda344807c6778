package clock

import (
	"context"
	"sync"
	"time"
)

// Source knows how long this process has been running.
type Source interface {
	// Running returns how long this process had been running at a time, which must be now or a moment ago. The
	// difference of two readings is the time between them without the stalls of the process. A later reading
	// is never smaller.
	Running(now time.Time) time.Duration
	// Lag returns the present delay between the arrival of data and their reading by this process.
	Lag() time.Duration
}

// Stalls is a Source that finds out by itself when this process did not run: because a signal had stopped it, or
// because the machine was overloaded or asleep. One goroutine wakes up every tick. Time counts as running up to
// mostRunning after the last tick. So a measured stall may be up to 50 ms too short. It is too long by at most
// the time that the process needed to start again. Another goroutine reads a pipe, like other goroutines read
// sockets, and measures its delay.
type Stalls struct {
	mu      sync.Mutex
	watched bool
	last    time.Time     // the last tick
	running time.Duration // how long the process had been running at the last tick
	lag     time.Duration // the delay of the last byte that was read from the pipe
	waiting bool          // a byte is in the pipe
	written time.Duration // the reading when the byte was written
}

const (
	tick        = 20 * time.Millisecond
	mostRunning = 50 * time.Millisecond // from one tick to the next: a longer gap is a stall
)

// NewStalls returns a source that counts no stalls before Watch is called, and has a lag of 0 before WatchLag
// is called.
func NewStalls() *Stalls { return &Stalls{last: time.Now()} }

// Running implements Source. It also excludes a stall that has just ended, before Watch wakes up.
func (s *Stalls) Running(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.runningAt(now)
}

// Watch measures stalls until ctx ends. After each stall it calls report, which may be nil, with the length of
// the stall. Only one Watch may run at a time.
func (s *Stalls) Watch(ctx context.Context, report func(stall time.Duration)) {
	s.advance(true)
	defer s.advance(false)
	timer := time.NewTimer(tick)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		if stall := s.advance(true); stall > 0 && report != nil {
			report(stall)
		}
		timer.Reset(tick)
	}
}

// advance records that the process runs now. It returns how long the process did not run since the last call.
func (s *Stalls) advance(watched bool) (stall time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	running := s.runningAt(now)
	stall = now.Sub(s.last) - (running - s.running)
	s.watched, s.last, s.running = watched, now, running
	return stall
}

// runningAt is Running for a caller that holds the lock.
func (s *Stalls) runningAt(now time.Time) time.Duration {
	gap := max(0, now.Sub(s.last)) // Watch may have woken up since
	if s.watched {
		gap = min(gap, mostRunning)
	}
	return s.running + gap
}

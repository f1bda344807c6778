package clock

import (
	"context"
	"sync"
	"time"
)

// Source tells how long this process had been running at a time, which is now or was a moment ago. The
// difference of two readings is the time between them without the process's own stalls. Readings at rising
// times never go back.
type Source interface {
	Running(now time.Time) time.Duration
	// Lag returns how late this process reads at present what has arrived.
	Lag() time.Duration
}

// Stalls is a Source that finds out by itself when this process did not run: it was stopped by a
// signal, the machine was overloaded, or it slept. One goroutine wakes up every tick; time counts
// as running up to mostRunning after it last did. A stall is so measured up to 50 ms too short, and
// never too long by more than the time that the process needed to get going again. Another goroutine
// reads a pipe, as others read sockets, and measures how late it does.
type Stalls struct {
	mu      sync.Mutex
	watched bool
	last    time.Time     // the last tick
	running time.Duration // at the last tick
	lag     time.Duration // of the last byte that was read from the pipe
	waiting bool          // a byte is in the pipe
	written time.Duration // the reading when it was written
}

const (
	tick        = 20 * time.Millisecond
	mostRunning = 50 * time.Millisecond // from one tick to the next: anything more is a stall
)

// NewStalls returns a source that counts no stalls until Watch is called, and knows no lag until
// WatchLag is.
func NewStalls() *Stalls { return &Stalls{last: time.Now()} }

// Running implements Source. It also knows of a stall that has just ended, before Watch wakes up.
func (s *Stalls) Running(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at(now)
}

// Watch measures stalls until ctx ends. It calls told, which may be nil, with the length of each
// stall after it has ended. Only one Watch may run at a time.
func (s *Stalls) Watch(ctx context.Context, told func(stall time.Duration)) {
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
		if stall := s.advance(true); stall > 0 && told != nil {
			told(stall)
		}
		timer.Reset(tick)
	}
}

// advance takes note that the process runs now, and returns for how long it did not since the last
// time.
func (s *Stalls) advance(watched bool) (stall time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	running := s.at(now)
	stall = now.Sub(s.last) - (running - s.running)
	s.watched, s.last, s.running = watched, now, running
	return stall
}

// at returns the reading at a time. The caller holds the lock.
func (s *Stalls) at(now time.Time) time.Duration {
	gap := max(0, now.Sub(s.last)) // Watch may have woken up since
	if s.watched {
		gap = min(gap, mostRunning)
	}
	return s.running + gap
}

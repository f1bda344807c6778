package clock

import (
	"context"
	"os"
	"sync"
	"time"
)

// Source measures the running time of this process: the time without its stalls.
type Source interface {
	// Running returns the running time up to now, which must be the present time or a moment before it. The
	// difference of two readings is the time between them without the stalls of the process. A later reading
	// is never smaller.
	Running(now time.Time) time.Duration
	// Lag returns the present delay between the arrival of data and their reading by this process.
	Lag() time.Duration
}

// Stalls is a Source that finds out by itself when this process did not run: because a signal had stopped it, or
// because the machine was overloaded or asleep. One goroutine wakes up every tick. Time counts as running up to
// mostRunning after the last tick. So a measured stall may be up to 50 ms too short. It is too long by at most
// the time that the process needed to start again. Another goroutine reads a pipe, as other goroutines read
// sockets, and measures the delay.
type Stalls struct {
	mu      sync.Mutex
	watched bool
	last    time.Time     // the last tick
	running time.Duration // the running time of the process up to the last tick
	lag     time.Duration // the delay of the last byte that was read from the pipe
	waiting bool          // a byte is in the pipe
	written time.Duration // the running time when the byte was written
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

// advance records that the process runs now. It returns the length of the stalls since the last call.
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

// WatchLag measures, until ctx ends, the delay between the arrival of data and their reading by this process. A
// goroutine that waits for a socket or a pipe runs only after the scheduler has noticed the data, and after all
// goroutines that waited for a processor before. If many goroutines want to run, a goroutine that waits for a timer
// is resumed much earlier. WatchLag returns an error if it cannot make a pipe. Only one WatchLag may run at a time.
func (s *Stalls) WatchLag(ctx context.Context) error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	defer out.Close()
	stop := context.AfterFunc(ctx, func() { in.Close() })
	defer stop()
	next := time.AfterFunc(tick, func() {
		s.noteWritten()
		_, _ = out.Write([]byte{0}) // fails only if the reader has ended
	})
	defer next.Stop()
	for buffer := make([]byte, 1); ; next.Reset(tick) {
		_, err := in.Read(buffer)
		s.noteRead()
		if err != nil {
			return nil // ctx has ended
		}
	}
}

// noteWritten records that a byte is about to be written to the pipe.
func (s *Stalls) noteWritten() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting, s.written = true, s.runningAt(time.Now())
}

// noteRead records that the byte in the pipe, if there is one, has been read.
func (s *Stalls) noteRead() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting {
		s.lag, s.waiting = s.runningAt(time.Now())-s.written, false
	}
}

// Lag implements Source. It returns the delay of the last byte that was read or, if it is longer, the delay so
// far of the byte in the pipe.
func (s *Stalls) Lag() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting {
		return max(s.lag, s.runningAt(time.Now())-s.written)
	}
	return s.lag
}

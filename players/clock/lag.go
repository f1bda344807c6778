package clock

import (
	"context"
	"os"
	"time"
)

// WatchLag measures, until ctx ends, how long data that have arrived wait until this process reads them. A
// goroutine that waits for a socket or a pipe runs only after the scheduler has noticed the data, and after all
// goroutines that waited for a processor before. If many goroutines want to run, a goroutine that waits for a
// timer is resumed much earlier. WatchLag returns an error if it cannot make a pipe. Only one WatchLag may run
// at a time.
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
		if _, err := in.Read(buffer); err != nil {
			s.noteRead()
			return nil // ctx has ended
		}
		s.noteRead()
	}
}

// noteWritten records that a byte is about to be written to the pipe.
func (s *Stalls) noteWritten() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting, s.written = true, s.runningAt(time.Now())
}

// noteRead records that the byte in the pipe has been read.
func (s *Stalls) noteRead() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lag, s.waiting = s.runningAt(time.Now())-s.written, false
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

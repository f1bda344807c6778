package clock

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// The lag is the delay of the last byte that was read, or the delay so far of the byte in the pipe. A stall is
// not a lag.
func TestLag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewStalls()
		want := func(lag time.Duration) {
			t.Helper()
			if got := s.Lag(); got != lag {
				t.Errorf("a lag of %v, want %v", got, lag)
			}
		}
		want(0)
		for range 2 {
			s.noteWritten()
			<-time.After(30 * time.Millisecond)
			want(30 * time.Millisecond)
			s.noteRead()
			<-time.After(time.Second)
			want(30 * time.Millisecond)
		}
		s.noteRead() // the end of WatchLag, with no byte in the pipe
		want(30 * time.Millisecond)
		s.noteWritten()
		<-time.After(10 * time.Millisecond)
		want(30 * time.Millisecond)
		s.advance(true)
		<-time.After(time.Minute)
		want(10*time.Millisecond + mostRunning)
	})
}

// A process with more work than processors has a lag, and a process without work has none.
func TestWatchLag(t *testing.T) {
	s := NewStalls()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.WatchLag(ctx) }()
	busy, rest := context.WithCancel(t.Context())
	for range 20 * runtime.GOMAXPROCS(0) {
		go func() {
			for busy.Err() == nil {
				runtime.Gosched()
			}
		}()
	}
	for s.Lag() < time.Microsecond {
		runtime.Gosched()
	}
	rest()
	for s.Lag() > 5*time.Millisecond {
		<-time.After(tick)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

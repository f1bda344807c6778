package clock_test

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/players/clock"
)

// stalling is a Source with stalls that a test chooses. In a synctest bubble nothing stalls by itself.
type stalling struct {
	began   time.Time
	stalled atomic.Int64 // a time.Duration, like lag
	lag     atomic.Int64
}

func newStalling() *stalling { return &stalling{began: time.Now()} }

func (s *stalling) Running(now time.Time) time.Duration {
	return now.Sub(s.began) - time.Duration(s.stalled.Load())
}

func (s *stalling) Lag() time.Duration { return time.Duration(s.lag.Load()) }

// stall lets time pass while the process does not run.
func (s *stalling) stall(d time.Duration) {
	s.stalled.Add(int64(d))
	pass(d)
}

// pass lets virtual time pass.
func pass(d time.Duration) { <-time.After(d) }

func isOver(c *clock.Countdown) bool {
	synctest.Wait()
	return isClosed(c.Over())
}

func TestCountdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewCountdown(nil, 3*time.Second)
		pass(time.Minute) // before the start nothing counts
		c.Start()
		pass(time.Second)
		c.Stop()
		pass(time.Hour)
		if c.Left() != 2*time.Second || isOver(c) {
			t.Errorf("%v left of 3 s after 1 s and a stop", c.Left())
		}
		c.Start()
		c.Start()
		pass(2*time.Second - 1)
		if isOver(c) {
			t.Error("over a nanosecond early")
		}
		pass(1)
		if !isOver(c) || c.Left() != 0 {
			t.Errorf("not over after 3 s, %v left", c.Left())
		}
		if got, want := c.Read(), (clock.Reading{Used: 3 * time.Second, Stopped: time.Hour}); got != want {
			t.Errorf("reading %+v, want %+v", got, want)
		}
	})
}

// A stall does not count. After it there is time to read answers that arrived during the stall.
func TestCountdownDuringStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newStalling()
		c := clock.NewCountdown(source, time.Second)
		c.Start()
		pass(400 * time.Millisecond)
		source.stall(20 * time.Second)
		if isOver(c) || c.Left() != 600*time.Millisecond {
			t.Fatalf("after a stall of 20 s %v are left, want 600 ms", c.Left())
		}
		pass(600*time.Millisecond + clock.Recovery - 1)
		if isOver(c) {
			t.Error("over before the recovery")
		}
		pass(1)
		if !isOver(c) {
			t.Error("not over after the recovery")
		}
		if got, want := c.Read(), (clock.Reading{Used: time.Second + clock.Recovery, Stalled: 20 * time.Second}); got != want {
			t.Errorf("reading %+v, want %+v", got, want)
		}
	})
}

// Time of a stall during a stop is counted once, as a stop and not as a stall.
func TestStallWhileStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newStalling()
		c := clock.NewCountdown(source, time.Second)
		c.Start()
		c.Stop()
		source.stall(time.Minute)
		c.Start()
		pass(time.Second)
		if got, want := c.Read(), (clock.Reading{Used: time.Second, Stopped: time.Minute}); got != want || !isOver(c) {
			t.Errorf("reading %+v, want %+v", got, want)
		}
	})
}

func TestCountdownWithoutLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := clock.NewCountdown(nil, clock.Unlimited)
		c.Start()
		pass(1000 * time.Hour)
		if c.Limited() || isOver(c) || c.Read().Used != 1000*time.Hour {
			t.Errorf("limited %v, reading %+v", c.Limited(), c.Read())
		}
	})
}

func TestCountdownOfNothing(t *testing.T) {
	c := clock.NewCountdown(nil, time.Second)
	c.Reset(0)
	if c.Start(); !isClosed(c.Over()) {
		t.Error("an empty countdown is not over at once")
	}
}

func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := clock.NewTurn(nil, 5*time.Second, time.Second)
		pass(2 * time.Second)
		if turn.ForBot() != 3*time.Second || turn.Left() != 4*time.Second {
			t.Errorf("%v told of %v", turn.ForBot(), turn.Left())
		}
		pass(3500 * time.Millisecond)
		if turn.ForBot() != 0 || isOver(turn.Countdown) {
			t.Error("over before its patience ends")
		}
		if r := turn.End(); r.Used != 5500*time.Millisecond {
			t.Errorf("reading %+v", r)
		}
		pass(time.Minute)
		if isOver(turn.Countdown) {
			t.Error("over although it has ended")
		}
	})
}

// All time counts while Watch runs on time, and also without Watch.
func TestStallsOfNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := clock.NewStalls()
		pass(time.Hour)
		go s.Watch(t.Context(), func(d time.Duration) { t.Errorf("a stall of %v", d) })
		pass(time.Hour)
		if got := s.Running(time.Now()); got != time.Since(began) {
			t.Errorf("running for %v of %v", got, time.Since(began))
		}
	})
}

// The time that a reading takes is not a stall. The clock is the real one, and nothing watches it, so that no
// time counts as a stall.
func TestReadingIsNoStall(t *testing.T) {
	s := clock.NewStalls()
	for range 10_000 {
		turn := clock.NewTurn(s, time.Hour, 0)
		if r := turn.End(); r.Stalled != 0 {
			t.Fatalf("reading %+v without a stall", r)
		}
	}
}

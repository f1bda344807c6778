package clock

import (
	"testing"
	"time"
	"unsafe"
)

// jumped returns the time now as it would be if somebody had just set the clock of the machine: it shows
// another date, and the monotonic reading is the same.
func jumped(t *testing.T, now time.Time, seconds int64) time.Time {
	t.Helper()
	if unsafe.Sizeof(now) != 24 {
		t.Fatal("time.Time has another form in this version of Go: adapt this test")
	}
	then := now
	*(*uint64)(unsafe.Pointer(&then)) += uint64(seconds) << 30 // above the nanoseconds, below the bit for monotonic times
	if dates := then.Round(0).Sub(now.Round(0)); dates != time.Duration(seconds)*time.Second || then.Sub(now) != 0 {
		t.Fatalf("the date jumped by %v, the time by %v: time.Time has another form in this version of Go", dates, then.Sub(now))
	}
	return then
}

// The clock of the machine is set to another date while a bot thinks and while the arena looks for stalls.
// Neither changes its measurement.
func TestWallClockJumps(t *testing.T) {
	c, s := NewCountdown(nil, time.Minute), NewStalls()
	c.Start()
	s.advance(true)
	now := time.Now()
	for _, seconds := range []int64{1, -1, 3600, -3600, 400 * 24 * 3600} {
		then := jumped(t, now, seconds)
		if got, want := c.readAt(then), c.readAt(now); got != want {
			t.Errorf("after a jump of %d s the countdown reads %+v, want %+v", seconds, got, want)
		}
		if got, want := s.runningAt(then), s.runningAt(now); got != want {
			t.Errorf("after a jump of %d s %v have run, want %v", seconds, got, want)
		}
	}
}

package clock

import (
	"testing"
	"testing/synctest"
	"time"
)

// A process that does not run cannot tick. The reading stops 50 ms after the last tick, whether it is taken
// before or after the next tick.
func TestStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewStalls()
		s.advance(true)
		<-time.After(20 * time.Second)
		if got := s.Running(time.Now()); got != mostRunning {
			t.Errorf("before the tick %v have run, want %v", got, mostRunning)
		}
		if stall := s.advance(true); stall != 20*time.Second-mostRunning {
			t.Errorf("a stall of %v", stall)
		}
		if got := s.Running(time.Now()); got != mostRunning {
			t.Errorf("after the tick %v have run, want %v", got, mostRunning)
		}
		for range 100 { // an overloaded machine: the clock slows down, but does not stop
			<-time.After(200 * time.Millisecond)
			s.advance(true)
		}
		if got := s.Running(time.Now()); got != 101*mostRunning {
			t.Errorf("%v have run, want %v", got, 101*mostRunning)
		}
	})
}

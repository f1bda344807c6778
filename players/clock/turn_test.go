package clock_test

import (
	"testing"
	"testing/synctest"
	"time"

	"versus2048/players/clock"
)

// The clock starts when the request has left. A stall before that is in the reading.
func TestTurnBeginsWithTheRequest(t *testing.T) {
	for name, tc := range map[string]struct{ queue, stall, used time.Duration }{
		"soon":                             {900 * time.Millisecond, 0, 0},
		"after a stall":                    {900 * time.Millisecond, time.Minute, 0},
		"who does not read gains a second": {3 * time.Second, 0, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := newStalling()
				turn := clock.NewTurn(source, 5*time.Second, 0)
				turn.Hold()
				pass(tc.queue)
				source.stall(tc.stall)
				if turn.ForBot() != 5*time.Second {
					t.Errorf("the bot is told of %v", turn.ForBot())
				}
				turn.Sent()
				turn.Sent()
				pass(time.Second)
				if r := turn.End(); r != (clock.Reading{Used: tc.used + time.Second, Stalled: tc.stall}) {
					t.Errorf("reading %+v", r)
				}
			})
		})
	}
}

// The clock runs until the answer has arrived: until it is read, less the lag of this process. If it is read
// after the time is up, it had arrived before.
func TestTurnEndsWithTheAnswer(t *testing.T) {
	for name, tc := range map[string]struct{ read, lag, used time.Duration }{
		"at once":              {time.Second, 0, time.Second},
		"late":                 {time.Second, 400 * time.Millisecond, 600 * time.Millisecond},
		"earlier than the lag": {time.Second, time.Minute, 0},
		"after the time":       {time.Minute, 0, 5 * time.Second},
		"after it, with a lag": {time.Minute, 58 * time.Second, 2 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				source := newStalling()
				source.lag.Store(int64(tc.lag))
				turn := clock.NewTurn(source, 5*time.Second, time.Second)
				pass(tc.read)
				synctest.Wait()
				read := time.Now()
				pass(time.Minute) // in the queues of this process
				turn.Arrived(read)
				pass(time.Minute)
				turn.Arrived(time.Now())
				want := clock.Reading{Used: tc.used}
				if got, end := turn.Read(), turn.End(); got != want || end != want {
					t.Errorf("readings %+v, %+v, want %+v", got, end, want)
				}
			})
		})
	}
}

// In an overloaded process, the time can be up before the request is queued, or before the timer fires.
func TestTurnOfAnOverloadedProcess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turn := clock.NewTurn(nil, time.Second, 0)
		pass(2 * time.Second)
		if turn.Hold(); isOver(turn.Countdown) || turn.ForBot() != time.Second {
			t.Error("over before the request has left")
		}
		turn.Sent()
		turn.Arrived(time.Now().Add(3 * time.Second))
		if r := turn.End(); r != (clock.Reading{Used: time.Second}) {
			t.Errorf("reading %+v", r)
		}
	})
}

// A player in this process notices the end of its time late, by no more than the lag.
func TestTurnOfThisProcess(t *testing.T) {
	for used, want := range map[time.Duration]time.Duration{
		4900 * time.Millisecond: 4900 * time.Millisecond, 5200 * time.Millisecond: 5 * time.Second, 5400 * time.Millisecond: 5100 * time.Millisecond,
	} {
		synctest.Test(t, func(t *testing.T) {
			source := newStalling()
			source.lag.Store(int64(300 * time.Millisecond))
			turn := clock.NewTurn(source, 5*time.Second, 0)
			pass(used)
			if r := turn.End(); r.Used != want {
				t.Errorf("%v of %v count, want %v", r.Used, used, want)
			}
		})
	}
}

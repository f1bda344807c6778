package farm

import (
	"context"
	"sync/atomic"
	"time"
)

// load measures how overloaded the worker's machine is, and decides how many tasks the worker should do at once.
type load struct {
	most int          // the largest number of tasks at once
	now  atomic.Int32 // the present number of tasks at once
	lag  atomic.Int64 // the mean lateness of a timer in the last period, in nanoseconds
}

const (
	lagTick   = 100 * time.Millisecond
	lagPeriod = 30 * time.Second
	// mostLag is the largest mean lateness of timers on a machine that is not overloaded. If all processors are
	// busy with games, the mean is below 2 ms; with twice as many busy threads as processors, it is above 10.
	mostLag = 10 * time.Millisecond
)

// newLoad returns the load of a machine that has not been watched yet.
func newLoad(most int) *load {
	l := &load{most: most}
	l.now.Store(int32(min(most, maxGames)))
	return l
}

// maxGames is the largest number of tasks that one worker does at once.
const maxGames = 10_000

// watch measures until ctx ends.
func (l *load) watch(ctx context.Context) {
	var sum time.Duration
	n := 0
	timer := time.NewTimer(lagTick)
	defer timer.Stop()
	for {
		began := time.Now()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		sum += max(0, time.Since(began)-lagTick)
		if n++; n == int(lagPeriod/lagTick) {
			l.adapt(sum / time.Duration(n))
			sum, n = 0, 0
		}
		timer.Reset(lagTick)
	}
}

// adapt changes the number of tasks at once after a period with this mean lag: a quarter fewer if the machine is
// overloaded, else one more.
func (l *load) adapt(lag time.Duration) {
	l.lag.Store(int64(lag))
	now := int(l.now.Load())
	if lag > mostLag {
		now -= max(1, now/4)
	} else {
		now++
	}
	l.now.Store(int32(max(1, min(now, l.most, maxGames))))
}

// admits reports whether a slot should take tasks. Slots are counted from 0.
func (l *load) admits(slot int) bool { return slot < int(l.now.Load()) }

package tournament_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"

	"versus2048/tournament"
)

// slowDisk is a Journal with a Finish that returns when it is allowed to.
type slowDisk struct {
	*memory
	allowed chan struct{}
	mu      sync.Mutex
	waiting int // games that have ended and are not recorded
}

func (d *slowDisk) Finish(ctx context.Context, g tournament.Game) error {
	d.wait(1)
	<-d.allowed
	d.wait(-1)
	return d.memory.Finish(ctx, g)
}

func (d *slowDisk) wait(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting += n
	return d.waiting
}

// Bots inside the process play on while games that have ended wait for the disk, but not without limit.
// Bots elsewhere do not: to them a game is over when it is recorded. No game counts before it is.
func TestGamesEndedBeforeTheyAreRecorded(t *testing.T) {
	for _, tc := range []struct {
		inProcess bool
		waiting   int
	}{
		{true, 64 + 1}, // no game starts once 64 have ended; one was in progress then
		{false, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			e := smallEvent(2, 50, 2)
			e.InProcess = tc.inProcess
			disk := &slowDisk{memory: newMemory(), allowed: make(chan struct{})}
			r := newRunner(e, disk, 2)
			watch := &doneWatcher{}
			r.Watcher = watch
			ended := make(chan error, 1)
			go func() { ended <- r.Run(t.Context()) }()
			synctest.Wait()
			if got := disk.wait(0); got != tc.waiting {
				t.Errorf("in process: %v: %d games wait for the disk, want %d", tc.inProcess, got, tc.waiting)
			}
			if done := watch.latest(); done != 0 {
				t.Errorf("%d games count that are not recorded", done)
			}
			close(disk.allowed)
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if got := len(disk.games()); got != 100 || watch.latest() != 100 {
				t.Errorf("%d games are recorded, %d count, want 100", got, watch.latest())
			}
			for _, b := range r.Bots {
				if b := b.(*counting); b.now != 0 {
					t.Errorf("%d games of %s are not over", b.now, b.ID.Name)
				}
			}
		})
	}
}

// doneWatcher knows how many games count.
type doneWatcher struct {
	stopper
	doneMu sync.Mutex
	done   int
}

func (w *doneWatcher) Progress(c tournament.Counts) {
	w.doneMu.Lock()
	defer w.doneMu.Unlock()
	w.done = c.Done
}

func (w *doneWatcher) latest() int {
	w.doneMu.Lock()
	defer w.doneMu.Unlock()
	return w.done
}

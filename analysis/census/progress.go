package census

import (
	"sync"
	"time"
)

// Progress is how far a census is.
type Progress struct {
	Plies      int           // of the layer that is being made
	Of         int           // of the last layer
	Expanded   int64         // positions of the layer before whose successors are made
	Positions  int64         // of the layer before
	InLayer    time.Duration // since this layer was begun
	Placements int64         // made since the census began or went on
	Elapsed    time.Duration // since then
}

// every is the time between two reports of progress.
const every = 200 * time.Millisecond

// report begins to report progress. It ends when the function is called that it
// returns.
func (c *census) report() (stop func()) {
	if c.Progress == nil {
		return func() {}
	}
	began, quit := time.Now(), make(chan struct{})
	var reporter sync.WaitGroup
	reporter.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				c.tell(time.Since(began))
			case <-quit:
				return
			}
		}
	})
	return func() { close(quit); reporter.Wait() }
}

// tell reports the progress of the step that is being made.
func (c *census) tell(elapsed time.Duration) {
	if s := c.current.Load(); s != nil {
		c.Progress(Progress{
			Plies: s.plies, Of: c.lastPly(), Expanded: s.expanded.Load(), Positions: s.layer.count,
			InLayer: time.Since(s.began), Placements: c.placements.Load(), Elapsed: elapsed,
		})
	}
}

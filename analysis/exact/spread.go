package exact

import (
	"context"
	"sync"
	"sync/atomic"
)

// spread calls work once for each i below n, from so many workers at once, and
// waits. Once ctx is done it leaves out what is left.
func spread(ctx context.Context, workers, n int, work func(worker, i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for worker := range min(workers, n) {
		all.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(worker, i)
			}
		})
	}
	all.Wait()
}

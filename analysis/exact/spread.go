package exact

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// workers is how many goroutines share the work.
func workers() int { return runtime.GOMAXPROCS(0) }

// spread calls work once for each i below n, from all workers, and waits. Once
// ctx is done it leaves out what is left.
func spread(ctx context.Context, n int, work func(worker, i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for worker := range min(workers(), n) {
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

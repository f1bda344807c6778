package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Each calls work with each i from 0 to n-1, from the given number of goroutines, and waits for them. worker is the
// number of the goroutine, 0 to workers-1. Each goroutine makes one call at a time, so that memory of its own needs no
// lock. Once ctx is done, Each makes no further calls.
func Each(ctx context.Context, workers, n int, work func(worker, i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range min(workers, n) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				work(worker, i)
			}
		})
	}
	group.Wait()
}

// Do calls do with 0 to n-1 from the given number of goroutines. If a call fails or ctx ends, Do starts no further
// calls and returns the error. Unless report is nil, Do calls it with the number of calls that are done, never
// concurrently.
func Do(ctx context.Context, workers, n int, report func(done, total int), do func(i int) error) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var reporting sync.Mutex
	done := 0
	Each(ctx, workers, n, func(_, i int) {
		if err := do(i); err != nil {
			fail(err)
			return
		}
		reporting.Lock()
		defer reporting.Unlock()
		if done++; report != nil {
			report(done, n)
		}
	})
	return context.Cause(ctx)
}

package regret

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls do with 0 to n-1 from so many goroutines, until one call fails or
// ctx ends; then it returns the error. It tells report, unless that is nil, how
// many are done, never two at once.
func parallel(ctx context.Context, workers, n int, report func(done, total int), do func(i int) error) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	var reporting sync.Mutex
	done := 0
	work := func() {
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			if err := do(i); err != nil {
				fail(err)
				return
			}
			reporting.Lock()
			if done++; report != nil {
				report(done, n)
			}
			reporting.Unlock()
		}
	}
	for range workers {
		group.Go(work)
	}
	group.Wait()
	return context.Cause(ctx)
}

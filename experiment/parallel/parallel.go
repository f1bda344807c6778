package parallel

import (
	"context"
	"sync"
	"sync/atomic"
)

// Do calls do with 0 to n-1 from the given number of goroutines. If a call fails or ctx ends, it
// starts no further calls and returns the error. It calls report, unless it is nil, with the number of
// calls that are done, never concurrently.
func Do(ctx context.Context, workers, n int, report func(done, total int), do func(i int) error) error {
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

package exact

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// portion is how many boards a goroutine takes at a time: much more work than
// taking them, and little enough for the last ones to end together.
const portion = 512

// spread calls work with the portions of n boards on all processors, and waits.
// Once ctx is done it leaves out what is left.
func spread(ctx context.Context, n int, work func(from, to int)) {
	var next atomic.Int64
	run := func() {
		for ctx.Err() == nil {
			to := int(next.Add(portion))
			if to-portion >= n {
				return
			}
			work(to-portion, min(to, n))
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+portion-1)/portion) - 1 {
		others.Go(run)
	}
	run()
	others.Wait()
}

package census

import (
	"cmp"
	"sync"
	"sync/atomic"
)

// parallel calls work for each worker in a goroutine of its own and waits for all
// of them. It returns the error of the first one that has one: all tell the same.
func parallel(workers []*worker, work func(*worker) error) error {
	problems := make([]error, len(workers))
	var wait sync.WaitGroup
	for i, w := range workers {
		wait.Go(func() { problems[i] = work(w) })
	}
	wait.Wait()
	return cmp.Or(problems...)
}

// A counter deals out the numbers below of, each once, in order.
type counter struct {
	next atomic.Int64
	of   int
}

func (c *counter) take() (i int, ok bool) {
	i = int(c.next.Add(1)) - 1
	return i, i < c.of
}

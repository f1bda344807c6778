package searching

import "slices"

// MaxPlies is more than the plies that any search looks ahead.
const MaxPlies = 256

// Period is how many nodes are visited between two calls of stop. It takes less than a millisecond.
const Period = 512

// Counter counts the positions of a search and ends it when its function stop reports true. It serves
// one thread.
type Counter struct {
	Nodes    int64           // positions visited
	Expanded [MaxPlies]int64 // positions whose moves were searched, by plies below the root
	Ended    bool            // stop reported true

	stop   func() bool
	next   int64 // the number of nodes at which stop is called next
	period int64 // the number of nodes between two calls of stop
}

// NewCounter returns a counter that asks stop once in a [Period]; nil never ends a search.
func NewCounter(stop func() bool) *Counter { return NewCounterEvery(Period, stop) }

// NewCounterEvery is [NewCounter] with another period, in nodes.
func NewCounterEvery(period int64, stop func() bool) *Counter {
	if stop == nil {
		stop = func() bool { return false }
	}
	return &Counter{stop: stop, next: period, period: period}
}

// Visit counts a position and reports whether the search continues.
func (c *Counter) Visit() bool {
	c.Nodes++
	if c.Nodes >= c.next {
		c.next = c.Nodes + c.period
		c.Ended = c.Ended || c.stop()
	}
	return !c.Ended
}

// Stop asks now, before more work is begun, whether the search has to end. It does not end it.
func (c *Counter) Stop() bool { return c.stop() }

// Expansions returns how many positions were expanded, by plies below the root, as far as any were.
func (c *Counter) Expansions() []int64 {
	plies := len(c.Expanded)
	for plies > 0 && c.Expanded[plies-1] == 0 {
		plies--
	}
	return slices.Clone(c.Expanded[:plies])
}

package searching

import (
	"slices"

	"versus2048/rules"
)

// MaxPlies is larger than the number of plies that any search looks ahead.
const MaxPlies = 256

// Period is the number of visited nodes between two calls of stop. A search visits them in less than a millisecond.
const Period = 512

// Counter counts the positions of a search, and ends the search when the function stop reports true. It belongs to one
// thread.
type Counter struct {
	Nodes    int64           // positions visited
	Expanded [MaxPlies]int64 // positions with their moves searched, by plies below the root
	Ended    bool            // whether stop reported true

	stop   func() bool
	next   int64 // stop is called next at this number of nodes
	period int64 // the number of nodes between two calls of stop
}

// NewCounter returns a counter that calls stop once in a [Period]. A nil stop never ends a search.
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

// Stop calls stop now, before more work begins, and reports its result. It does not end the search.
func (c *Counter) Stop() bool { return c.stop() }

// Plies returns the number of plies from p to the leaves of a search that looks the given number of slides ahead.
func Plies(p rules.Position, slides int) int {
	if p.SideToMove() == rules.Defender {
		return 2*slides - 1
	}
	return 2 * slides
}

// Expansions returns the number of expanded positions by plies below the root, up to the last ply with any.
func (c *Counter) Expansions() []int64 {
	plies := len(c.Expanded)
	for plies > 0 && c.Expanded[plies-1] == 0 {
		plies--
	}
	return slices.Clone(c.Expanded[:plies])
}

package budget

import "sync"

// crowd is those who wait for the same answer. The first of them waits for the turn.
type crowd struct {
	done   chan struct{} // closed when the first one has its answer
	answer *answer       // then; nil if the others cannot have it
	route  string        // its pattern
}

// crowds are the crowds that still wait, by the answer's name. Its methods may be called from several goroutines.
type crowds struct {
	mu   sync.Mutex
	open map[string]*crowd
}

// join returns the crowd that waits for an answer. The caller is its first member, or waits for that one.
func (c *crowds) join(key string) (joined *crowd, first bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.open[key]; known != nil {
		return known, false
	}
	if c.open == nil {
		c.open = map[string]*crowd{}
	}
	c.open[key] = &crowd{done: make(chan struct{})}
	return c.open[key], true
}

// begin lets nobody join any more: whoever comes later must not get an answer that is older than the request.
func (c *crowds) begin(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, key)
}

package roster

import (
	"cmp"
	"slices"
	"sync"
)

// mostPasses is the number of times that other allocations may take a slot of each bot of a waiting request. After
// that, free slots of these bots are kept for the request.
const mostPasses = 4

// Pool has the slots of all bots. Its methods and the methods of its allocations may be called by several goroutines.
type Pool struct {
	mu      sync.Mutex
	bots    map[string]*bot
	waiting []*request // in the order of their arrival
}

// bot is a bot in at least one allocation.
type bot struct {
	offers      func() int // the number of games that it plays at once
	used        int        // games in progress
	allocations int        // the number of allocations with this bot
}

// request is an allocation that waits for one slot of each of its bots at the same time.
type request struct {
	allocation *Allocation
	bots       []string
	// passes counts, for each of bots, the slots that other allocations have taken since the request began to wait,
	// or since the last long game.
	passes []int
}

// NewPool returns a pool without bots.
func NewPool() *Pool { return &Pool{bots: map[string]*bot{}} }

// Allocate returns an allocation for one more event.
func (p *Pool) Allocate() *Allocation {
	return &Allocation{pool: p, games: map[string]int{}, freed: make(chan struct{}, 1)}
}

// Visit returns an allocation for a game that may take long, such as one against a person. When the game takes a slot
// of a bot, the requests that wait for this bot stop reserving slots of their other bots.
func (p *Pool) Visit() *Allocation {
	s := p.Allocate()
	s.long = true
	return s
}

// Wake makes all waiting events try again: a bot may offer more slots than before.
func (p *Pool) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake()
}

// wake is Wake for a caller that holds the lock, as the callers of all methods below do.
func (p *Pool) wake() {
	for _, r := range p.waiting {
		r.allocation.Wake()
	}
}

// grants reports whether an allocation may take a slot of each of these bots now: each bot has a free slot left after
// the requests that rank before the allocation's own have got their slots. An allocation without a request for these
// bots ranks last.
func (p *Pool) grants(s *Allocation, bots []string) bool {
	free := make(map[string]int, len(bots))
	for _, name := range bots {
		if free[name] = p.unused(name); free[name] <= 0 {
			return false
		}
	}
	for _, r := range p.ranked() {
		switch {
		case r.allocation == s && slices.Equal(r.bots, bots):
			return true
		case r.allocation != s && !p.reserve(r, free, bots):
			return false
		}
	}
	return true
}

// reserve subtracts from free the slots that r may claim. It reports whether each of bots still has a free slot.
func (p *Pool) reserve(r *request, free map[string]int, bots []string) bool {
	for _, name := range r.bots {
		if _, known := free[name]; !known {
			free[name] = p.unused(name)
		}
	}
	full := func(name string) bool { return free[name] <= 0 }
	if slices.ContainsFunc(r.bots, full) && !r.reserves() {
		return true
	}
	for _, name := range r.bots {
		free[name]--
	}
	return !slices.ContainsFunc(bots, full)
}

// unused returns the number of slots of a bot without a game.
func (p *Pool) unused(name string) int {
	b := p.bots[name]
	return b.offers() - b.used
}

// ranked returns the requests in the order of their priority.
func (p *Pool) ranked() []*request {
	all := slices.Clone(p.waiting)
	slices.SortStableFunc(all, func(a, b *request) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

// rank orders requests, the lowest first: it is -1 for a request that reserves slots, and else the number of games
// that the allocation is playing with these bots.
func (r *request) rank() int {
	if r.reserves() {
		return -1
	}
	games := 0
	for _, name := range r.bots {
		games += r.allocation.games[name]
	}
	return games
}

// reserves reports whether others have passed the request so often that the pool keeps free slots for it, even while
// the request lacks other slots.
func (r *request) reserves() bool { return slices.Min(r.passes) >= mostPasses }

// pass counts that another allocation has taken a slot of a bot. A long game sets the count to 0.
func (r *request) pass(name string, long bool) {
	i := slices.Index(r.bots, name)
	switch {
	case i < 0:
	case long:
		r.passes[i] = 0
	default:
		r.passes[i]++
	}
}

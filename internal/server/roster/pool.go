package roster

import (
	"cmp"
	"slices"
	"sync"
)

// mostPasses is how often others may take a slot of each bot of a request that cannot be served, before the bots' slots
// are kept for the request.
const mostPasses = 4

// Pool has the slots of all bots. Its methods and the methods of its shares may be called by several goroutines.
type Pool struct {
	mu      sync.Mutex
	bots    map[string]*bot
	waiting []*request // in the order of their arrival
}

// bot is a bot in at least one share.
type bot struct {
	offers func() int // how many games it plays at once
	used   int        // games in progress
	shares int        // the number of shares with this bot
}

// request is the wish of a share for a slot of each of some bots.
type request struct {
	share  *Share
	bots   []string
	passes []int // by bot: how often others have taken a slot of it since
}

// NewPool returns a pool without bots.
func NewPool() *Pool { return &Pool{bots: map[string]*bot{}} }

// Share returns a share for one more event.
func (p *Pool) Share() *Share {
	return &Share{pool: p, games: map[string]int{}, freed: make(chan struct{}, 1)}
}

// Visit returns a share for a game that may take long, such as one against a person: nobody keeps other slots free
// until it is over.
func (p *Pool) Visit() *Share {
	s := p.Share()
	s.long = true
	return s
}

// Wake makes all waiting events try again: a bot may offer more slots than before.
func (p *Pool) Wake() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wake()
}

// wake does the same. The caller holds the lock, as for all methods below.
func (p *Pool) wake() {
	for _, r := range p.waiting {
		r.share.wake()
	}
}

// grants reports whether a share may take a slot of each of these bots now: whether each bot has a slot left once all
// requests with priority have the slots that they can use.
func (p *Pool) grants(s *Share, bots []string) bool {
	left := make(map[string]int, len(bots))
	for _, name := range bots {
		if left[name] = p.left(name); left[name] <= 0 {
			return false
		}
	}
	for _, r := range p.ranked() {
		switch {
		case r.share == s && slices.Equal(r.bots, bots):
			return true
		case r.share != s && !p.deal(r, left, bots):
			return false
		}
	}
	return true
}

// deal subtracts the slots that a request keeps from the left ones, and reports whether enough are left for these bots.
func (p *Pool) deal(r *request, left map[string]int, bots []string) bool {
	for _, name := range r.bots {
		if _, known := left[name]; !known {
			left[name] = p.left(name)
		}
	}
	busy := func(name string) bool { return left[name] <= 0 }
	if slices.ContainsFunc(r.bots, busy) && !r.reserves() {
		return true
	}
	for _, name := range r.bots {
		left[name]--
	}
	return !slices.ContainsFunc(bots, busy)
}

// left returns how many slots of a bot are not in use.
func (p *Pool) left(name string) int {
	b := p.bots[name]
	return b.offers() - b.used
}

// ranked returns the requests in the order of their priority.
func (p *Pool) ranked() []*request {
	if len(p.waiting) < 2 {
		return p.waiting
	}
	all := slices.Clone(p.waiting)
	slices.SortStableFunc(all, func(a, b *request) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}

// rank is lower for a request that comes first.
func (r *request) rank() int {
	if r.reserves() {
		return -1
	}
	games := 0
	for _, name := range r.bots {
		games += r.share.games[name]
	}
	return games
}

// reserves reports whether free slots are kept for the request although it needs others as well.
func (r *request) reserves() bool { return slices.Min(r.passes) >= mostPasses }

// pass counts that another share has taken a slot of a bot.
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

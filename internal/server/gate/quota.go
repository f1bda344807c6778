package gate

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
)

// ErrTooMany means that visitors, or one of them, already do as much at once as the arena allows.
var ErrTooMany = errors.New("too much at once")

// Quota limits the number of actions of a kind in progress: Most in all, and PerAddress from each machine but this one.
// An IPv6 network with a prefix of 64 bits counts as one machine. The methods may be called from several goroutines.
type Quota struct {
	Most, PerAddress int

	mu   sync.Mutex
	all  int
	from map[netip.Prefix]int
}

// Take takes a place until done is called. PerAddress does not apply to requests from this machine, because a proxy may
// run on it: then the requests of all visitors come from this machine.
func (q *Quota) Take(from netip.Addr) (done func(), err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	network := Network(from)
	switch {
	case q.all >= q.Most:
		return nil, fmt.Errorf("%w: visitors use all %d places of this arena now; try again in a moment", ErrTooMany, q.Most)
	case !from.IsLoopback() && q.from[network] >= q.PerAddress:
		return nil, fmt.Errorf("%w: %d from your address now; finish one first", ErrTooMany, q.PerAddress)
	}
	if q.from == nil {
		q.from = map[netip.Prefix]int{}
	}
	q.all++
	q.from[network]++
	return sync.OnceFunc(func() { q.free(network) }), nil
}

func (q *Quota) free(network netip.Prefix) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.all--
	if q.from[network]--; q.from[network] == 0 {
		delete(q.from, network)
	}
}

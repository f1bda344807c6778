package gate

import (
	"errors"
	"fmt"
	"net/netip"
	"sync"
)

// ErrTooMany means that visitors already do, or ask for, as much as is allowed at once.
var ErrTooMany = errors.New("too much at once")

// Quota limits how many actions of a kind are in progress, in all and from each other machine; an IPv6 network of 64
// bits counts as one machine. Its methods may be called from several goroutines.
type Quota struct {
	Most, PerAddress int

	mu   sync.Mutex
	all  int
	from map[netip.Prefix]int
}

// Take takes a place until done is called. The limit by address does not apply to this machine: behind a proxy on it,
// all visitors have its address.
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

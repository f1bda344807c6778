package gate

import (
	"maps"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// pace limits how often bots may try to register, in all and from each address. The limit by address does not apply to
// this machine: behind a proxy on it, all bots may have its address.
type pace struct {
	mu   sync.Mutex
	all  *rate.Limiter
	from map[netip.Prefix]*rate.Limiter
}

// The limits let the bots of a room of friends, who share one address, register at once.
const (
	triesAtOnce    = 30
	triesEvery     = 10 * time.Second
	allTriesAtOnce = 300
	allTriesEvery  = time.Second
	mostRemembered = 10_000 // addresses
)

func newPace() pace {
	return pace{all: rate.NewLimiter(rate.Every(allTriesEvery), allTriesAtOnce), from: map[netip.Prefix]*rate.Limiter{}}
}

// allow reports whether a bot from an address may try now.
func (p *pace) allow(from netip.Addr) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if from.IsLoopback() {
		return p.all.Allow()
	}
	network := Network(from)
	own := p.from[network]
	if own == nil {
		p.forget()
		if len(p.from) >= mostRemembered {
			return false
		}
		own = rate.NewLimiter(rate.Every(triesEvery), triesAtOnce)
		p.from[network] = own
	}
	return own.Allow() && p.all.Allow()
}

// forget forgets the addresses that have not tried for so long that they may try as often as new ones. The caller holds
// the lock.
func (p *pace) forget() {
	maps.DeleteFunc(p.from, func(_ netip.Prefix, l *rate.Limiter) bool { return l.Tokens() >= triesAtOnce })
}

package gate

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"versus2048/protocol"
)

// Limits bounds the connections to an arena. The limits by address do not apply to this machine itself: it has only a
// wider limit of arrivals. An IPv6 network of 64 bits counts as one address. While the connection of a proxy carries a
// request of a client, the connection counts as the client's. A PerAddress of 0 sets no limit; then Arrivals allows a
// burst of 2000.
type Limits struct {
	Total       int           // connections at once; 0 means 20,000, or fewer if the process may open too few files
	PerAddress  int           // of these, from one address
	Arrivals    int           // new ones a second from one address, after a burst of PerAddress, or of 64 if that is more
	Unasked     int           // messages a second that answer no request, from all connections of one address
	Bytes       int           // bytes a second, from all connections of one address
	HeaderTime  time.Duration // from the beginning of an HTTP request to the end of its header
	RequestTime time.Duration // from the beginning of a request to the end of its body; an admitted request has no limit
	IdleTime    time.Duration // from one request to the next
	WriteWait   time.Duration // how long a client may stop reading
}

// DefaultLimits returns the limits stated in docs/SECURITY.md.
func DefaultLimits() Limits {
	return Limits{
		PerAddress:  256,
		Arrivals:    20,
		Unasked:     500,
		Bytes:       32 << 20,
		HeaderTime:  5 * time.Second,
		RequestTime: 30 * time.Second,
		IdleTime:    time.Minute,
		WriteWait:   10 * time.Second,
	}
}

const (
	fewest   = 16     // an arena with fewer connections is of no use
	most     = 20_000 // connections, if nobody asks for more
	reserved = 64     // descriptors for the database, the log, and processes of bots
)

// ownArrivals and ownBurst replace Limits.Arrivals and its burst for connections from this machine, and for requests
// through a proxy that does not name its clients. They are wider limits: all bots of a machine may start at once, or
// come back after an interruption.
const (
	ownArrivals = 250
	ownBurst    = 2000
	fewestBurst = 64 // the smallest burst of another address
)

// Gate is a listener that counts its connections. Its methods may be called from several goroutines.
type Gate struct {
	net.Listener
	limits  Limits
	proxies Proxies
	log     *slog.Logger
	polite  chan struct{} // holds an element for each refusal that is being explained
	mu      sync.Mutex
	kept    int            // connections that stay
	waiting map[*Conn]bool // the connections of strangers
	sources map[netip.Prefix]*source
	turned  map[Reason]int
}

// source is an address that connections come from.
type source struct {
	address  netip.Prefix
	conns    int
	waiting  int // of these, strangers
	arrivals *rate.Limiter
	refusals *rate.Limiter      // of refused requests that came through a proxy
	throttle *protocol.Throttle // of all its connections; nil if the address is this machine's or a proxy's
}

// idle reports whether the source has no connections, and all its bursts again, like a new source.
func (s *source) idle() bool {
	return s.conns == 0 && full(s.arrivals) && full(s.refusals) && s.throttle.Full()
}

// full reports whether a limiter has its whole burst.
func full(l *rate.Limiter) bool { return l.Tokens() >= float64(l.Burst()) }

// New returns a gate before a listener. The number of a proxy's connections is not limited; ByClient limits the
// requests that they carry. New returns an error if the limits leave no room, and logs how much room there is.
func New(listener net.Listener, limits Limits, log *slog.Logger, proxies ...netip.Prefix) (*Gate, error) {
	room, err := roomFor(limits.Total)
	if err != nil {
		return nil, err
	}
	limits.Total = room
	log.Info("room for connections", "bots", room-strangers(room), "strangers", strangers(room), "per address", limits.PerAddress)
	return &Gate{
		Listener: listener, limits: limits, proxies: proxies, log: log,
		polite:  make(chan struct{}, 8),
		waiting: map[*Conn]bool{}, sources: map[netip.Prefix]*source{},
		turned: map[Reason]int{TooMany: 0, TooFast: 0, ForOther: 0},
	}, nil
}

// roomFor returns the wanted number of connections or, for 0, the number that there is room for, up to most. It returns
// an error if there is no room for the wanted number.
func roomFor(wanted int) (int, error) {
	room := descriptors() - reserved
	if room < fewest {
		return 0, fmt.Errorf("this process may open %d files, want at least %d: raise the limit (ulimit -n)", room+reserved, fewest+reserved)
	}
	if wanted == 0 {
		return min(room, most), nil
	}
	if wanted < fewest || wanted > room {
		return 0, fmt.Errorf("%d connections: want %d to %d; more need a higher limit of open files (ulimit -n)", wanted, fewest, room)
	}
	return wanted, nil
}

// strangers returns the largest number of strangers among that total of connections.
func strangers(total int) int { return max(fewest/2, min(total/4, 1024)) }

// Accept waits for a connection that there is room for. It refuses all others.
func (g *Gate) Accept() (net.Conn, error) {
	return g.accept(g.Listener, g.refuse)
}

// accept waits until a listener has a connection that there is room for. It resets the connections that come too fast,
// and calls refuse with the others.
func (g *Gate) accept(listener net.Listener, refuse func(net.Conn)) (net.Conn, error) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return nil, err
		}
		c, victim, err := g.enter(conn)
		if victim != nil {
			g.log.Warn("connection closed to make room", "from", victim.RemoteAddr())
			victim.Close()
		}
		if c != nil {
			return c, nil
		}
		g.log.Warn("connection refused", "from", conn.RemoteAddr(), "why", err)
		if errors.Is(err, errTooFast) {
			reset(conn)
		} else {
			refuse(conn)
		}
	}
}

var (
	errTooMany = errors.New("too many from this address")
	errTooFast = errors.New("too many a second from this address")
)

// reset closes a connection at once, so that nothing of it remains in the system.
func reset(conn net.Conn) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // if this fails, closing takes a moment longer
	}
	conn.Close()
}

// enter counts a new connection. victim is the stranger that has to be closed to make room. enter returns errTooMany or
// errTooFast instead of a connection if the address may not have another connection now.
func (g *Gate) enter(conn net.Conn) (c, victim *Conn, err error) {
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetWriteBuffer(writeBuffer) // if this fails, the buffer keeps the system's size, which is larger
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	address := ParseAddress(conn.RemoteAddr().String())
	s := g.source(address)
	if !g.proxies.contain(address) {
		if err := g.mayCome(s); err != nil {
			return nil, nil, err
		}
	}
	s.conns++ // first: a source without connections may be forgotten with the victim
	if len(g.waiting) >= strangers(g.limits.Total) {
		victim = g.leastWanted()
		g.forget(victim)
		g.turned[ForOther]++
	}
	c = &Conn{Conn: conn, gate: g, address: address, source: s, arrived: time.Now(), refusals: newRefusals()}
	s.waiting++
	g.waiting[c] = true
	return c, victim, nil
}

// mayCome returns errTooMany or errTooFast if an address may not have another connection now. The caller holds the
// lock.
func (g *Gate) mayCome(s *source) error {
	if s.throttle != nil && g.limits.PerAddress > 0 && s.conns >= g.limits.PerAddress {
		g.turned[TooMany]++
		return errTooMany
	}
	if !s.arrivals.Allow() {
		g.turned[TooFast]++
		return errTooFast
	}
	return nil
}

// mostIdle is a number of addresses: a gate that knows most+mostIdle addresses forgets addresses without connections.
const mostIdle = 4096

// source returns the source of an address. The caller holds the lock.
func (g *Gate) source(address netip.Addr) *source {
	network := g.network(address)
	s := g.sources[network]
	if s != nil {
		return s
	}
	if len(g.sources) >= most+mostIdle {
		g.makeRoom()
	}
	s = &source{address: network, refusals: newRefusals(), arrivals: rate.NewLimiter(ownArrivals, ownBurst)}
	if !address.IsLoopback() && !g.proxies.contain(address) {
		burst := max(g.limits.PerAddress, fewestBurst)
		if g.limits.PerAddress == 0 {
			burst = ownBurst
		}
		s.arrivals = rate.NewLimiter(rate.Limit(g.limits.Arrivals), burst)
		s.throttle = protocol.NewThrottle(g.limits.Unasked, g.limits.Bytes)
	}
	g.sources[network] = s
	return s
}

// makeRoom forgets the idle sources. If too many are left, it forgets all sources without connections, because the
// memory has to stay bounded. The caller holds the lock.
func (g *Gate) makeRoom() {
	maps.DeleteFunc(g.sources, func(_ netip.Prefix, s *source) bool { return s.idle() })
	if len(g.sources) >= most {
		maps.DeleteFunc(g.sources, func(_ netip.Prefix, s *source) bool { return s.conns == 0 })
	}
}

// network returns the addresses that count as one with this address.
func (g *Gate) network(address netip.Addr) netip.Prefix {
	if g.proxies.contain(address) {
		return netip.PrefixFrom(address, address.BitLen())
	}
	return Network(address)
}

// Network returns the addresses that one machine may have: an IPv6 network of 64 bits, or the address itself.
func Network(address netip.Addr) netip.Prefix {
	if !address.Is6() || address.IsLoopback() {
		return netip.PrefixFrom(address, address.BitLen())
	}
	return netip.PrefixFrom(address, 64).Masked()
}

// writeBuffer is the number of bytes that the system keeps for a client that does not read. With more bytes the arena
// would only notice such a client later.
const writeBuffer = 64 << 10

// leastWanted returns the stranger that is closed when there are too many: a silent one before one that is being
// answered, then one of the address with the most strangers, then the oldest. The caller holds the lock.
func (g *Gate) leastWanted() (victim *Conn) {
	for c := range g.waiting {
		if victim == nil || c.lessWanted(victim) {
			victim = c
		}
	}
	return victim
}

// forget stops counting a connection. The caller holds the lock.
func (g *Gate) forget(c *Conn) {
	switch {
	case c.gone:
		return
	case c.kept:
		g.kept--
	default:
		delete(g.waiting, c)
	}
	g.leave(c)
	c.gone = true
}

// leave stops counting a connection for its address. The caller holds the lock.
func (g *Gate) leave(c *Conn) {
	if !c.kept {
		c.source.waiting--
	}
	if c.source.conns--; c.source.idle() {
		delete(g.sources, c.source.address)
	}
}

// refuse tells a client that there is no room and closes its connection. Few refusals at a time are explained: each
// keeps a descriptor until the client has sent its request.
func (g *Gate) refuse(conn net.Conn) {
	select {
	case g.polite <- struct{}{}:
	default:
		conn.Close()
		return
	}
	go func() {
		defer func() { <-g.polite }()
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(time.Second)) // Read and Write report the error
		_, _ = conn.Read(make([]byte, 4<<10))             // the request: closing before it is read would lose the answer
		_, _ = conn.Write([]byte(refusal))                // the client may be gone
	}()
}

// Counts has the number of connections of a gate, and the number that it turned away.
type Counts struct {
	Kept, Strangers         int // now
	KeptRoom, StrangersRoom int // the limits
	// Turned are the connections, and the requests through proxies, that were turned away since the start, by reason.
	Turned map[Reason]int
}

// Reason is the reason for turning a connection or a request away.
type Reason string

// The reasons.
const (
	TooMany  Reason = "too-many"  // from this address, at once
	TooFast  Reason = "too-fast"  // from this address, a second
	ForOther Reason = "for-other" // a stranger that was closed to make room for another one
)

// Counts returns the present counts of the gate.
func (g *Gate) Counts() Counts {
	g.mu.Lock()
	defer g.mu.Unlock()
	most := strangers(g.limits.Total)
	return Counts{
		Kept: g.kept, Strangers: len(g.waiting), KeptRoom: g.limits.Total - most, StrangersRoom: most,
		Turned: maps.Clone(g.turned),
	}
}

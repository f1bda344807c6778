package gate

import (
	"context"
	"crypto/tls"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"versus2048/protocol"
)

// Conn is one connection through a gate. Carry, Keep, Answer, Refused and Throttles do nothing on a nil Conn.
type Conn struct {
	net.Conn
	gate      *Gate
	address   netip.Addr // of the connection
	arrived   time.Time
	refusals  *rate.Limiter
	deadlines atomic.Bool // the owner of the connection sets deadlines for its writes

	// Guarded by the gate's lock:
	source   *source // counts this connection
	carrying bool    // a request of a proxy's client
	answered int     // requests that are being answered
	kept     bool    // the gate does not close it for another one
	gone     bool    // it is no longer counted
}

// refusalsPerSecond is the number of refused requests that a connection, or a client of a proxy, may send each second
// without waiting.
const refusalsPerSecond = 20

func newRefusals() *rate.Limiter { return rate.NewLimiter(refusalsPerSecond, refusalsPerSecond) }

// NetConn returns the connection without the gate.
func (c *Conn) NetConn() net.Conn { return c.Conn }

// Carry counts a connection of a proxy as a connection of the client that sent the present request, until done is
// called: a proxy may use one connection for several clients in turn. Carry does nothing with other connections. It
// returns errTooMany if the client has too many connections, and errTooFast if it sends too many requests a second.
// Only the goroutine that answers the request may call Carry, Refused and Throttles.
func (c *Conn) Carry(client netip.Addr) (done func(), err error) {
	if c == nil || !c.gate.proxies.contain(c.address) {
		return func() {}, nil
	}
	g := c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.source(client)
	if err := g.mayCome(s); err != nil {
		return nil, err
	}
	c.moveTo(s)
	c.carrying = true
	return c.carried, nil
}

// carried is the end of Carry: the connection counts for the proxy again.
func (c *Conn) carried() {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	c.moveTo(c.gate.source(c.address))
	c.carrying = false
}

// moveTo counts the connection for another address, unless it is gone. The caller holds the lock.
func (c *Conn) moveTo(s *source) {
	if c.gone {
		return
	}
	s.conns++ // first: a source without connections may be forgotten
	if !c.kept {
		s.waiting++
	}
	c.gate.leave(c)
	c.source = s
}

// lessWanted reports whether c is to be closed before other.
func (c *Conn) lessWanted(other *Conn) bool {
	if a, b := c.answered > 0, other.answered > 0; a != b {
		return b
	}
	if a, b := c.source.waiting, other.source.waiting; a != b {
		return a > b
	}
	return c.arrived.Before(other.arrived)
}

// Keep protects the connection from being closed for another one, if there is room for that, and reports whether the
// connection is protected. free is the number of places that must stay free for others.
func (c *Conn) Keep(free int) bool {
	if c == nil {
		return true
	}
	g := c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.kept {
		return !c.gone
	}
	if c.gone || g.kept+free >= g.limits.Total-strangers(g.limits.Total) {
		return false
	}
	delete(g.waiting, c)
	c.source.waiting--
	c.kept = true
	g.kept++
	return true
}

// Answer marks the connection as not silent until done is called: the gate closes it only if all other strangers are
// being answered, too.
func (c *Conn) Answer() (done func()) {
	if c == nil {
		return func() {}
	}
	c.addAnswered(1)
	return func() { c.addAnswered(-1) }
}

func (c *Conn) addAnswered(n int) {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	c.answered += n
}

// Refused counts a refused request of the connection, or of the client whose request a proxy's connection carries. It
// waits if there are too many.
func (c *Conn) Refused(ctx context.Context) {
	if c == nil {
		return
	}
	limiter := c.refusals
	if c.carrying {
		limiter = c.source.refusals
	}
	_ = limiter.Wait(ctx) // fails if the client is gone
}

// Throttles returns the throttle of the connection's address, or of the client if the connection carries a client's
// request; nil if there is none. All connections of one address have the same throttle.
func (c *Conn) Throttles() []*protocol.Throttle {
	if c == nil || c.source.throttle == nil {
		return nil
	}
	return []*protocol.Throttle{c.source.throttle}
}

// Write writes p within Limits.WriteWait, unless SetWriteDeadline has set a deadline.
func (c *Conn) Write(p []byte) (int, error) {
	if !c.deadlines.Load() {
		if err := c.Conn.SetWriteDeadline(time.Now().Add(c.gate.limits.WriteWait)); err != nil {
			return 0, err
		}
	}
	return c.Conn.Write(p)
}

// SetWriteDeadline sets the deadline for writes, in place of Limits.WriteWait. With a zero time that limit is in force
// again.
func (c *Conn) SetWriteDeadline(t time.Time) error {
	c.deadlines.Store(!t.IsZero())
	return c.Conn.SetWriteDeadline(t)
}

// Close closes the connection and stops counting it.
func (c *Conn) Close() error {
	c.gate.mu.Lock()
	c.gate.forget(c)
	c.gate.mu.Unlock()
	return c.Conn.Close()
}

// door is another listener of a gate.
type door struct {
	net.Listener
	gate    *Gate
	secrecy *tls.Config // nil for none
}

// Beside returns a second listener. Its connections count together with the gate's own. With a TLS configuration they
// speak TLS: a client that has not finished the handshake counts as a stranger, and a connection that there is no room
// for is closed without a message, because a message would need a handshake.
func (g *Gate) Beside(listener net.Listener, secrecy *tls.Config) net.Listener {
	return &door{listener, g, secrecy}
}

func (d *door) Accept() (net.Conn, error) {
	if d.secrecy == nil {
		return d.gate.accept(d.Listener, d.gate.refuse)
	}
	c, err := d.gate.accept(d.Listener, reset)
	if err != nil {
		return nil, err
	}
	return tls.Server(c, d.secrecy), nil
}

// connKey is the key of a connection in the contexts of its requests.
type connKey struct{}

// ConnContext is for http.Server: From finds the connection in the contexts of its requests.
func (g *Gate) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	if secret, ok := conn.(*tls.Conn); ok {
		conn = secret.NetConn()
	}
	return context.WithValue(ctx, connKey{}, conn)
}

// From returns the connection of the request that has this context, or nil if the request came through no gate.
func From(ctx context.Context) *Conn {
	c, _ := ctx.Value(connKey{}).(*Conn)
	return c
}

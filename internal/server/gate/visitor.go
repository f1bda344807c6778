package gate

import (
	"context"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"versus2048/protocol"
)

// Visitor is one connection through a gate. The methods of a nil Visitor do nothing.
type Visitor struct {
	net.Conn
	gate      *Gate
	address   netip.Addr // of the connection
	arrived   time.Time
	refusals  *rate.Limiter
	deadlines atomic.Bool // the owner of the connection sets deadlines for its writes

	// Guarded by the gate's lock:
	source   *source // counts this visitor
	carrying bool    // a request of a proxy's client
	answered int     // requests that are being answered
	kept     bool    // the gate does not close it for another one
	gone     bool    // it is no longer counted
}

// refusalsPerSecond is how many refused requests a connection, or a client of a proxy, may send each
// second without waiting.
const refusalsPerSecond = 20

func newRefusals() *rate.Limiter { return rate.NewLimiter(refusalsPerSecond, refusalsPerSecond) }

func newVisitor(g *Gate, conn net.Conn, address netip.Addr, s *source) *Visitor {
	return &Visitor{Conn: conn, gate: g, address: address, source: s, arrived: time.Now(), refusals: newRefusals()}
}

// NetConn returns the connection itself.
func (v *Visitor) NetConn() net.Conn { return v.Conn }

// Carry counts a connection of a proxy as a connection of the client that sent the present request, until done is
// called: a proxy may use one connection for several clients in turn. It does nothing with other connections. It
// returns an error if the client has too many connections, or sends too many requests a second. Only the goroutine that
// answers the request may call Carry, Refused and Throttles.
func (v *Visitor) Carry(client netip.Addr) (done func(), err error) {
	if v == nil || !v.gate.isProxy(v.address) {
		return func() {}, nil
	}
	g := v.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.source(client)
	if err := g.mayCome(s); err != nil {
		return nil, err
	}
	v.moveTo(s)
	v.carrying = true
	return v.carried, nil
}

// carried is the end of Carry: the connection counts for the proxy again.
func (v *Visitor) carried() {
	v.gate.mu.Lock()
	defer v.gate.mu.Unlock()
	v.moveTo(v.gate.source(v.address))
	v.carrying = false
}

// moveTo counts the visitor for another address, unless it is gone. The caller holds the lock.
func (v *Visitor) moveTo(s *source) {
	if v.gone {
		return
	}
	s.visitors++ // first: a source without visitors may be forgotten
	if !v.kept {
		s.waiting++
	}
	v.gate.leave(v)
	v.source = s
}

// lessWanted reports whether v is to be closed before other.
func (v *Visitor) lessWanted(other *Visitor) bool {
	if a, b := v.answered > 0, other.answered > 0; a != b {
		return b
	}
	if a, b := v.source.waiting, other.source.waiting; a != b {
		return a > b
	}
	return v.arrived.Before(other.arrived)
}

// Keep protects the connection from being closed for another one, and reports whether there is room for that. It leaves
// this number of places free for others.
func (v *Visitor) Keep(free int) bool {
	if v == nil {
		return true
	}
	g := v.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if v.kept {
		return !v.gone
	}
	if v.gone || g.kept+free >= g.limits.Total-strangers(g.limits.Total) {
		return false
	}
	delete(g.waiting, v)
	v.source.waiting--
	v.kept = true
	g.kept++
	return true
}

// Answer marks the connection as not silent until done is called: it is closed only if all other
// strangers are being answered, too.
func (v *Visitor) Answer() (done func()) {
	if v == nil {
		return func() {}
	}
	v.addAnswered(1)
	return func() { v.addAnswered(-1) }
}

func (v *Visitor) addAnswered(n int) {
	v.gate.mu.Lock()
	defer v.gate.mu.Unlock()
	v.answered += n
}

// Refused waits if requests of the connection, or behind a proxy of the client, are refused too often.
func (v *Visitor) Refused(ctx context.Context) {
	if v == nil {
		return
	}
	limiter := v.refusals
	if v.carrying {
		limiter = v.source.refusals
	}
	_ = limiter.Wait(ctx) // fails if the client is gone
}

// Throttles returns the throttle of the visitor's address, or of the client that sent the request it carries, if there
// is one. All connections of that address have the same throttle.
func (v *Visitor) Throttles() []*protocol.Throttle {
	if v == nil || v.source.throttle == nil {
		return nil
	}
	return []*protocol.Throttle{v.source.throttle}
}

// Write writes p within the limit of the gate, unless the caller sets its own deadline.
func (v *Visitor) Write(p []byte) (int, error) {
	if !v.deadlines.Load() {
		if err := v.Conn.SetWriteDeadline(time.Now().Add(v.gate.limits.WriteWait)); err != nil {
			return 0, err
		}
	}
	return v.Conn.Write(p)
}

// SetWriteDeadline sets the deadline for writes. From then on there is no other one.
func (v *Visitor) SetWriteDeadline(t time.Time) error {
	v.deadlines.Store(!t.IsZero())
	return v.Conn.SetWriteDeadline(t)
}

// Close closes the connection and stops counting it.
func (v *Visitor) Close() error {
	v.gate.mu.Lock()
	v.gate.forget(v)
	v.gate.mu.Unlock()
	return v.Conn.Close()
}

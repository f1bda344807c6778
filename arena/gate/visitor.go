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
	address   netip.Prefix
	source    *source
	arrived   time.Time
	refusals  *rate.Limiter
	deadlines atomic.Bool // the user of the connection sets deadlines for its writes

	// Guarded by the gate's lock:
	answered int  // requests that are being answered
	kept     bool // the connection stays
	gone     bool // it is not counted any more
}

// refusalsPerSecond is how many refused requests a connection may send each second without waiting.
const refusalsPerSecond = 20

func newVisitor(g *Gate, conn net.Conn, address netip.Prefix, s *source) *Visitor {
	return &Visitor{
		Conn: conn, gate: g, address: address, source: s, arrived: time.Now(),
		refusals: rate.NewLimiter(refusalsPerSecond, refusalsPerSecond),
	}
}

// lessWanted reports whether v rather than other has to go.
func (v *Visitor) lessWanted(other *Visitor) bool {
	if a, b := v.answered > 0, other.answered > 0; a != b {
		return b
	}
	if a, b := v.source.waiting, other.source.waiting; a != b {
		return a > b
	}
	return v.arrived.Before(other.arrived)
}

// Keep makes the connection stay until one end closes it, and reports whether there is room for
// that. It leaves this number of places free for others.
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

// Refused waits if the requests of the connection are refused too often.
func (v *Visitor) Refused(ctx context.Context) {
	if v != nil {
		_ = v.refusals.Wait(ctx) // fails if the client is gone
	}
}

// Throttles returns the throttle that all connections of the visitor's address share, if there is
// one.
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

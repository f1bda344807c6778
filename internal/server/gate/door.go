package gate

import (
	"context"
	"crypto/tls"
	"net"
)

// door is another listener of a gate.
type door struct {
	net.Listener
	gate    *Gate
	secrecy *tls.Config // nil for none
}

// Beside returns a second listener. Its connections count together with the gate's own. With a TLS configuration they
// speak TLS: a client that has not finished the handshake counts as a stranger, and a connection without room is closed
// without a message, because a message would need a handshake.
func (g *Gate) Beside(listener net.Listener, secrecy *tls.Config) net.Listener {
	return &door{listener, g, secrecy}
}

// Accept waits for a connection that there is room for.
func (d *door) Accept() (net.Conn, error) {
	refuse := d.gate.refuse
	if d.secrecy != nil {
		refuse = reset
	}
	v, err := d.gate.accept(d.Listener, refuse)
	if err != nil {
		return nil, err
	}
	if d.secrecy != nil {
		return tls.Server(v, d.secrecy), nil
	}
	return v, nil
}

// visitorKey is the key of a connection's Visitor in the contexts of its requests.
type visitorKey struct{}

// ConnContext is for http.Server: From finds the visitor in the contexts of its requests.
func (g *Gate) ConnContext(ctx context.Context, conn net.Conn) context.Context {
	if secret, ok := conn.(*tls.Conn); ok {
		conn = secret.NetConn()
	}
	return context.WithValue(ctx, visitorKey{}, conn)
}

// From returns the visitor of the request that has this context, or nil if the request came through no gate.
func From(ctx context.Context) *Visitor {
	v, _ := ctx.Value(visitorKey{}).(*Visitor)
	return v
}

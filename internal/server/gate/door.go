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

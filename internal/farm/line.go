package farm

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"sync"

	"github.com/nats-io/nats.go"
)

// errOffline means that there is no connection now.
var errOffline = errors.New("no connection to NATS")

// line is a worker's connection. When the connection is lost, all requests that wait for an answer give up: the
// answer may have been lost, too.
type line struct {
	conn *nats.Conn
	mu   sync.Mutex
	up   context.Context // ends when the connection is lost
	lost context.CancelCauseFunc
}

// server returns the address of the server, without the user, the password or the token that it may have. The
// library's own redaction shows a token.
func server(conn *nats.Conn) string {
	u, err := url.Parse(conn.ConnectedUrl())
	if err != nil || u.Host == "" {
		return cmp.Or(conn.ConnectedAddr(), "no server now")
	}
	return u.Scheme + "://" + u.Host
}

// newLine returns the line of a connection. The caller runs keep.
func newLine(conn *nats.Conn) *line {
	l := &line{conn: conn}
	l.set(conn.IsConnected())
	return l
}

// keep follows the connection until ctx ends. back is called each time that the connection is there again.
func (l *line) keep(ctx context.Context, back func()) {
	changes := l.conn.StatusChanged(nats.CONNECTED, nats.RECONNECTING, nats.CLOSED)
	defer l.conn.RemoveStatusListener(changes)
	l.set(l.conn.IsConnected())
	for {
		select {
		case status := <-changes:
			if l.set(status == nats.CONNECTED); status == nats.CONNECTED {
				back()
			}
		case <-ctx.Done():
			return
		}
	}
}

func (l *line) set(connected bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.up == nil || connected && l.up.Err() != nil {
		l.up, l.lost = context.WithCancelCause(context.Background())
	}
	if !connected {
		l.lost(errOffline)
	}
}

// while returns a context that also ends when the connection is lost.
func (l *line) while(ctx context.Context) (context.Context, context.CancelFunc) {
	l.mu.Lock()
	up := l.up
	l.mu.Unlock()
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(up, func() { cancel(errOffline) })
	return ctx, func() { stop(); cancel(nil) }
}

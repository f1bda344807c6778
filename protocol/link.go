package protocol

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// link is one connection of a client.
type link struct {
	conn     *Conn
	table    *table
	log      *slog.Logger
	welcomed bool // by the arena
}

// maxArenaFrame is the longest message in bytes that a client reads: it trusts
// the arena further than the arena trusts bots.
const maxArenaFrame = 1 << 20

// connect plays over one connection until it ends. It tells whether the arena
// welcomed the bot.
func (c *Client) connect(ctx context.Context, table *table, log *slog.Logger) (welcomed bool, err error) {
	limits := DefaultLimits()
	limits.MaxFrame = maxArenaFrame
	var dialled *burst
	dialer := websocket.Dialer{
		Subprotocols:     []string{Subprotocol},
		HandshakeTimeout: limits.HelloTime,
		Proxy:            http.ProxyFromEnvironment,
		NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := new(net.Dialer).DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			dialled = newBurst(conn, limits.WriteWait)
			return dialled, nil
		},
	}
	ws, response, err := dialer.DialContext(ctx, c.URL, nil)
	if err != nil {
		return false, dialError(response, err)
	}
	l := &link{conn: newConn(ws, dialled, limits, nil), table: table, log: log}
	l.conn.shared = c.Hello.Slots > 1
	_ = l.conn.send(c.Hello) // an empty queue has room
	defer context.AfterFunc(ctx, func() {
		_ = l.conn.send(Goodbye{Reason: "interrupted"}) // a lost arena needs none
		l.conn.end(websocket.CloseNormalClosure, "")
	})()
	err = l.conn.run(context.WithoutCancel(ctx), l)
	return l.welcomed, err
}

func dialError(response *http.Response, err error) error {
	if response != nil {
		return fmt.Errorf("connecting: %w: the answer is %s", err, response.Status)
	}
	return fmt.Errorf("connecting: %w", err)
}

// handle takes a message of the arena.
func (l *link) handle(m Message) error {
	switch m := m.(type) {
	case Welcome:
		l.log.Info("connected", "name", m.Name, "games", m.Games)
		l.welcomed = true
		l.conn.limits.PongWait = max(l.conn.limits.PongWait, 3*time.Duration(m.PingMS)*time.Millisecond)
		l.table.attach(l.conn, m.Games)
	case Refusal:
		return &RefusedError{m.Code, m.Message}
	case Goodbye:
		if m.Reconnect {
			return errors.New("the arena closes: " + m.Reason)
		}
		return errGoodbye
	case Error:
		l.log.Warn("the arena objects", "code", m.Code, "message", m.Message, "game", m.Game)
	default:
		return l.table.handle(m)
	}
	return nil
}

// strike logs a frame of bad form. One of a type that a later arena may know
// does not count.
func (l *link) strike(f *FormError) bool {
	l.log.Warn("the arena sent a message of bad form", "problem", f.Problem)
	return f.Code != UnknownType
}

func (l *link) lost(error) { l.table.detach() }

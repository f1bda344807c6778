package protocol

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// Accept makes a WebSocket of a request and waits for the bot's hello. If the
// hello does not come in time, or is not valid, Accept refuses the bot and
// returns an error.
func Accept(w http.ResponseWriter, r *http.Request, limits Limits) (*Conn, Hello, error) {
	if !websocket.IsWebSocketUpgrade(r) {
		http.Error(w, "this is where bots connect: a WebSocket with the subprotocol "+Subprotocol, http.StatusUpgradeRequired)
		return nil, Hello{}, errors.New("the request is not for a WebSocket")
	}
	upgrader := websocket.Upgrader{Subprotocols: []string{Subprotocol}, HandshakeTimeout: limits.HelloTime}
	taken := &burstHijacker{ResponseWriter: w, wait: limits.WriteWait}
	ws, err := upgrader.Upgrade(taken, r, nil)
	if err != nil {
		return nil, Hello{}, fmt.Errorf("opening a WebSocket: %w", err)
	}
	conn := newConn(ws, taken.burst, limits, &pings{})
	stop := context.AfterFunc(r.Context(), func() { ws.Close() })
	defer stop()
	hello, err := conn.hello()
	if err != nil {
		conn.Refuse(BadHello, err.Error())
		return nil, Hello{}, err
	}
	conn.shared = hello.Slots > 1
	// A bot that is back may be told of all its games at once.
	conn.out = make(chan []byte, limits.Queue+4*hello.Slots)
	return conn, hello, nil
}

// hello reads the first message, which must be a valid hello.
func (c *Conn) hello() (Hello, error) {
	if got := c.ws.Subprotocol(); got != Subprotocol {
		return Hello{}, fmt.Errorf("the client does not offer the subprotocol %s", Subprotocol)
	}
	c.ws.SetReadLimit(c.limits.MaxFrame)
	if err := c.ws.SetReadDeadline(time.Now().Add(c.limits.HelloTime)); err != nil {
		return Hello{}, fmt.Errorf("waiting for a hello: %w", err)
	}
	m, err := c.receive()
	if timedOut(err) {
		return Hello{}, fmt.Errorf("no hello within %v", c.limits.HelloTime)
	}
	if err != nil {
		return Hello{}, fmt.Errorf("waiting for a hello: %w", err)
	}
	hello, ok := m.(Hello)
	if !ok {
		return Hello{}, fmt.Errorf("the first message is a %s, want a hello", m.kind())
	}
	return hello.checked()
}

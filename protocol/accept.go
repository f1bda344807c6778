package protocol

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// Accept upgrades a request to a WebSocket and waits for the bot's hello. If the hello is late or
// not valid, Accept refuses the bot and returns an error. The limits and the throttles bound how
// fast the connection is read. The caller may share the throttles between connections.
func Accept(w http.ResponseWriter, r *http.Request, limits Limits, shared ...*Throttle) (*Conn, Hello, error) {
	if !websocket.IsWebSocketUpgrade(r) {
		http.Error(w, "bots connect here, by a WebSocket with the subprotocol "+Subprotocol, http.StatusUpgradeRequired)
		return nil, Hello{}, errors.New("the request is not for a WebSocket")
	}
	upgrader := websocket.Upgrader{Subprotocols: []string{Subprotocol}, HandshakeTimeout: limits.HelloTime}
	throttles := append([]*Throttle{NewThrottle(limits.Unasked, limits.Bytes)}, shared...)
	hijacker := &batchHijacker{ResponseWriter: w, writeWait: limits.WriteWait, throttles: throttles}
	ws, err := upgrader.Upgrade(hijacker, r, nil)
	if err != nil {
		return nil, Hello{}, fmt.Errorf("opening a WebSocket: %w", err)
	}
	conn := newConn(ws, hijacker.conn, limits, fromBot)
	stop := context.AfterFunc(r.Context(), func() { ws.Close() })
	defer stop()
	hello, err := readHello(conn)
	if err != nil {
		conn.Refuse(BadHello, err.Error())
		return nil, Hello{}, err
	}
	conn.parallel = hello.Slots > 1
	return conn, hello, nil
}

// readHello reads the first message, which must be a valid hello.
func readHello(c *Conn) (Hello, error) {
	if got := c.ws.Subprotocol(); got != Subprotocol {
		return Hello{}, fmt.Errorf("the client does not offer the subprotocol %s", Subprotocol)
	}
	c.ws.SetReadLimit(c.limits.MaxFrame)
	c.due = time.Now().Add(c.limits.HelloTime)
	m, err := c.receive()
	if isTimeout(err) {
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

// batchHijacker makes the WebSocket upgrade use a batchConn.
type batchHijacker struct {
	http.ResponseWriter
	writeWait time.Duration
	throttles []*Throttle
	conn      *batchConn // nil before Hijack
}

// Hijack takes over the connection of the request.
func (h *batchHijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	h.conn = newBatchConn(conn, h.writeWait, h.throttles...)
	return h.conn, buffers, nil
}

package protocol

import (
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gorilla/websocket"
)

// Accept makes a WebSocket of a request and waits for the bot's hello. If the
// hello does not come in time, or is not valid, Accept refuses the bot and
// returns an error.
func Accept(w http.ResponseWriter, r *http.Request, limits Limits) (*Conn, Hello, error) {
	if !websocket.IsWebSocketUpgrade(r) {
		http.Error(w, "this is where bots connect: a WebSocket with the subprotocol "+Subprotocol, http.StatusUpgradeRequired)
		return nil, Hello{}, fmt.Errorf("no WebSocket")
	}
	upgrader := websocket.Upgrader{Subprotocols: []string{Subprotocol}, HandshakeTimeout: limits.HelloTime}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, Hello{}, fmt.Errorf("opening a WebSocket: %w", err)
	}
	conn := newConn(ws, limits, true)
	hello, err := conn.hello()
	if err != nil {
		conn.Refuse(BadHello, err.Error())
		return nil, Hello{}, err
	}
	return conn, hello, nil
}

func (c *Conn) hello() (Hello, error) {
	if got := c.ws.Subprotocol(); got != Subprotocol {
		return Hello{}, fmt.Errorf("subprotocol %q: want %s", got, Subprotocol)
	}
	c.ws.SetReadLimit(c.limits.MaxFrame)
	if err := c.ws.SetReadDeadline(time.Now().Add(c.limits.HelloTime)); err != nil {
		return Hello{}, err
	}
	kind, text, err := c.ws.ReadMessage()
	if err != nil {
		return Hello{}, fmt.Errorf("no hello: %w", err)
	}
	if kind != websocket.TextMessage {
		return Hello{}, fmt.Errorf("%w, want text", errBinary)
	}
	m, err := Decode(text)
	if err != nil {
		return Hello{}, err
	}
	h, ok := m.(Hello)
	if !ok {
		return Hello{}, fmt.Errorf("the first message is a %s, want hello", m.kind())
	}
	if h.Slots == 0 {
		h.Slots = 1
	}
	return h, h.validate()
}

// The limits of a hello's fields.
const (
	maxName  = 64   // characters
	maxField = 200  // characters of any other text
	maxSlots = 1024 // games at once
)

func (h *Hello) validate() error {
	n := utf8.RuneCountInString(h.Name)
	if n < 1 || n > maxName || strings.TrimSpace(h.Name) != h.Name || strings.ContainsFunc(h.Name, unprintable) {
		return fmt.Errorf("name %.80q: want 1 to %d printable characters, no space at either end", h.Name, maxName)
	}
	for field, text := range map[string]string{"version": h.Version, "author": h.Author, "spec": h.Spec, "token": h.Token} {
		if utf8.RuneCountInString(text) > maxField || strings.ContainsFunc(text, unprintable) {
			return fmt.Errorf("%s: want at most %d printable characters", field, maxField)
		}
	}
	if h.Slots < 1 || h.Slots > maxSlots {
		return fmt.Errorf("slots %d: want 1 to %d", h.Slots, maxSlots)
	}
	return nil
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// Refuse tells the bot why it is not admitted and closes the connection, which
// must not have been served.
func (c *Conn) Refuse(code Code, message string) {
	_ = c.send(Refusal{code, message}) // an empty queue has room
	c.end(websocket.ClosePolicyViolation, string(code))
	c.write()
}

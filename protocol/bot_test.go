package protocol_test

import (
	"context"
	"net"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// bot is a bot of the tests: it says what it is told to, right or wrong.
type bot struct {
	t  *testing.T
	ws *websocket.Conn
}

var dialer = websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}

// dial connects and says nothing yet.
func dial(t *testing.T, url string) *bot {
	t.Helper()
	ws, _, err := dialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &bot{t, ws}
}

// dialPipe connects over a pipe and says nothing yet.
func dialPipe(t *testing.T, open func() net.Conn) *bot {
	t.Helper()
	through := websocket.Dialer{
		Subprotocols:   dialer.Subprotocols,
		NetDialContext: func(context.Context, string, string) (net.Conn, error) { return open(), nil },
	}
	ws, _, err := through.DialContext(t.Context(), "ws://arena/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &bot{t, ws}
}

// enter says hello and hears welcome.
func (b *bot) enter() protocol.Welcome {
	b.t.Helper()
	b.say(protocol.Hello{Name: "bot", Slots: 8})
	return hear[protocol.Welcome](b)
}

func (b *bot) say(m protocol.Message) {
	b.t.Helper()
	text, err := protocol.Encode(m)
	if err != nil {
		b.t.Fatal(err)
	}
	b.write(websocket.TextMessage, string(text))
}

func (b *bot) write(kind int, text string) {
	b.t.Helper()
	if err := b.ws.WriteMessage(kind, []byte(text)); err != nil {
		b.t.Fatal(err)
	}
}

// hear reads the next message, which must be an M.
func hear[M protocol.Message](b *bot) M {
	b.t.Helper()
	_, text, err := b.ws.ReadMessage()
	if err != nil {
		b.t.Fatal(err)
	}
	m, err := protocol.Decode(text)
	if err != nil {
		b.t.Fatalf("%v in %s", err, text)
	}
	wanted, ok := m.(M)
	if !ok {
		b.t.Fatalf("heard %s, want a %T", text, wanted)
	}
	return wanted
}

// hearError reads the next message, which must be an error of that code.
func (b *bot) hearError(code protocol.Code) protocol.Error {
	b.t.Helper()
	e := hear[protocol.Error](b)
	if e.Code != code {
		b.t.Fatalf("heard the error %q (%s), want %q", e.Code, e.Message, code)
	}
	return e
}

// hearClose reads what must be a close frame of that code.
func (b *bot) hearClose(code int) {
	b.t.Helper()
	if _, text, err := b.ws.ReadMessage(); !websocket.IsCloseError(err, code) {
		b.t.Fatalf("heard %s, %v; want a close frame of code %d", text, err, code)
	}
}

package protocol_test

import (
	"context"
	"net"
	"testing"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
)

// bot is a connection for sending any message, valid or not.
type bot struct {
	t  *testing.T
	ws *websocket.Conn
}

var dialer = websocket.Dialer{Subprotocols: []string{protocol.Subprotocol}}

// dial connects without sending a hello.
func dial(t *testing.T, url string) *bot {
	t.Helper()
	ws, _, err := dialer.DialContext(t.Context(), url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &bot{t, ws}
}

// dialPipe connects over a pipe without sending a hello.
func dialPipe(t *testing.T, open func() net.Conn) *bot {
	t.Helper()
	through := websocket.Dialer{
		Subprotocols:    dialer.Subprotocols,
		WriteBufferSize: 256, // a longer message has several fragments
		NetDialContext:  func(context.Context, string, string) (net.Conn, error) { return open(), nil },
	}
	ws, _, err := through.DialContext(t.Context(), "ws://arena/bot", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	return &bot{t, ws}
}

// join sends a hello and receives the welcome.
func (b *bot) join() protocol.Welcome {
	b.t.Helper()
	b.send(protocol.Hello{Name: "bot", Slots: 8})
	return receive[protocol.Welcome](b)
}

func (b *bot) send(m protocol.Message) {
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

// receive reads the next message, which must be an M.
func receive[M protocol.Message](b *bot) M {
	b.t.Helper()
	_, text, err := b.ws.ReadMessage()
	if err != nil {
		b.t.Fatal(err)
	}
	checkMessages(b.t, []string{string(text)})
	m, err := protocol.Decode(text)
	if err != nil {
		b.t.Fatalf("%v in %s", err, text)
	}
	wanted, ok := m.(M)
	if !ok {
		b.t.Fatalf("received %s, want a %T", text, wanted)
	}
	return wanted
}

// receiveError reads the next message, which must be an error with the code.
func (b *bot) receiveError(code protocol.Code) protocol.Error {
	b.t.Helper()
	e := receive[protocol.Error](b)
	if e.Code != code {
		b.t.Fatalf("received the error %q (%s), want %q", e.Code, e.Message, code)
	}
	return e
}

// receiveClose reads the next frame, which must be a close frame with the code.
func (b *bot) receiveClose(code int) {
	b.t.Helper()
	if _, text, err := b.ws.ReadMessage(); !websocket.IsCloseError(err, code) {
		b.t.Fatalf("received %s, %v; want a close frame of code %d", text, err, code)
	}
}

// botWithRequest returns a bot on a real socket, with an open request in game 1.
func botWithRequest(t *testing.T) (a *arena, b *bot, seat *protocol.Seat, done <-chan choice) {
	t.Helper()
	a = newArena()
	b = dial(t, a.listen(t))
	b.join()
	seat = a.startGame("1", position(t, "2,0/0,2 D 0 1"))
	receive[protocol.Start](b)
	done = choose(t.Context(), seat, position(t, "2,0/0,2 D 0 1"))
	receive[protocol.Request](b)
	return a, b, seat, done
}

func move(game string, ply int, text string) protocol.Move {
	return protocol.Move{Game: game, Ply: ply, Move: text}
}

package protocol_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/protocol"
	"versus2048/rules"
)

// grace is how long the bots of the tests may be disconnected.
const grace = 20 * time.Second

// arena is the server of the tests: one session, whoever connects.
type arena struct {
	session *protocol.Session
	limits  protocol.Limits
	ended   chan error         // why each connection ended
	cut     chan struct{}      // each value ends a connection
	refuse  chan protocol.Code // each value refuses one
	gate    chan struct{}      // who comes waits until it is closed
}

func newArena() *arena {
	open := make(chan struct{})
	close(open)
	return &arena{
		session: protocol.NewSession(protocol.Hello{Name: "bot"}, grace),
		limits:  protocol.DefaultLimits(),
		ended:   make(chan error, 100),
		cut:     make(chan struct{}),
		refuse:  make(chan protocol.Code, 10),
		gate:    open,
	}
}

// ServeHTTP lets a bot in.
func (a *arena) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	<-a.gate
	conn, hello, err := protocol.Accept(w, r, a.limits)
	if err != nil {
		a.ended <- err
		return
	}
	select {
	case code := <-a.refuse:
		conn.Refuse(code, "the test wants it")
	default:
		a.ended <- a.serve(r.Context(), conn, hello)
	}
}

func (a *arena) serve(ctx context.Context, conn *protocol.Conn, hello protocol.Hello) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-a.cut:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := a.session.Serve(ctx, conn, hello)
	if errors.Is(err, protocol.ErrNameInUse) {
		conn.Refuse(protocol.NameInUse, err.Error())
	}
	return err
}

// listen opens the arena on a real socket and returns its address.
func (a *arena) listen(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(a)
	t.Cleanup(func() {
		a.session.Goodbye("the test is over", false)
		server.Close()
	})
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// pipes opens the arena inside a synctest bubble and returns how to dial it.
func (a *arena) pipes(t *testing.T) func() net.Conn {
	t.Helper()
	listener := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: a}
	go server.Serve(listener)
	t.Cleanup(func() {
		a.session.Goodbye("the test is over", false)
		server.Close()
	})
	return func() net.Conn {
		here, there := net.Pipe()
		listener.conns <- there
		return here
	}
}

// pipeListener is a listener whose connections are pipes.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	close(l.closed)
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// sit seats the arena's bot as the defender of a game that stands at p.
func (a *arena) sit(game string, p rules.Position) *protocol.Seat {
	return a.session.Sit(protocol.Start{Game: game, Role: rules.Defender}, p)
}

// position is a GPCC 2015 position with the defender to move.
func position(t *testing.T, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2015, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// chosen is what came of a Choose.
type chosen struct {
	move rules.Move
	err  error
}

// choose lets the seat choose in the background.
func choose(ctx context.Context, seat *protocol.Seat, p rules.Position) <-chan chosen {
	done := make(chan chosen, 1)
	go func() {
		m, err := seat.Choose(ctx, p)
		done <- chosen{m, err}
	}()
	return done
}

// wantMove fails unless the move was chosen.
func wantMove(t *testing.T, done <-chan chosen, want rules.Move) {
	t.Helper()
	if got := <-done; got.err != nil || got.move != want {
		t.Fatalf("chosen: %v, %v; want %v", got.move, got.err, want)
	}
}

// wantError fails unless choosing failed like that.
func wantError(t *testing.T, done <-chan chosen, want error) {
	t.Helper()
	if got := <-done; !errors.Is(got.err, want) {
		t.Fatalf("chosen: %v, %v; want the error %v", got.move, got.err, want)
	}
}

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

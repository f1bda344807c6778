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

	"versus2048/protocol"
	"versus2048/rules"
)

// grace is how long the bots in the tests may be disconnected.
const grace = 20 * time.Second

// arena is the server in the tests. It has one session for all connections.
type arena struct {
	session *protocol.Session
	limits  protocol.Limits
	shared  []*protocol.Throttle
	ended   chan error         // why each connection ended
	cut     chan struct{}      // each value makes the arena end a connection
	refuse  chan protocol.Code // each value makes the arena refuse a connection
	gate    chan struct{}      // connections wait until it is closed
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

// ServeHTTP admits a bot.
func (a *arena) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	<-a.gate
	conn, hello, err := protocol.Accept(w, r, a.limits, a.shared...)
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
	if errors.Is(err, protocol.ErrNameInUse) || errors.Is(err, protocol.ErrNameKept) {
		conn.Refuse(protocol.NameInUse, err.Error())
	}
	return err
}

// listen starts the arena on a real socket and returns its URL.
func (a *arena) listen(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(a)
	t.Cleanup(func() {
		a.session.Goodbye("the test is over", false)
		server.Close()
	})
	return "ws" + strings.TrimPrefix(server.URL, "http")
}

// pipes starts the arena inside a synctest bubble. It returns a function that
// connects to it.
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

// waitForBot waits until the arena's bot is connected.
func (a *arena) waitForBot(t *testing.T) {
	t.Helper()
	if err := a.session.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// startGame starts a game at p with the arena's bot as the defender.
func (a *arena) startGame(game string, p rules.Position) *protocol.Seat {
	return a.session.StartGame(protocol.Start{Game: game, Role: rules.Defender}, p)
}

// position parses a GPCC 2015 position.
func position(t *testing.T, text string) rules.Position {
	t.Helper()
	p, err := rules.ParsePosition(rules.GPCC2015, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// choice is the result of Seat.Choose.
type choice struct {
	move rules.Move
	err  error
}

// choose calls seat.Choose in the background.
func choose(ctx context.Context, seat *protocol.Seat, p rules.Position) <-chan choice {
	done := make(chan choice, 1)
	go func() {
		m, err := seat.Choose(ctx, p)
		done <- choice{m, err}
	}()
	return done
}

// wantMove fails unless Choose returned the move.
func wantMove(t *testing.T, done <-chan choice, want rules.Move) {
	t.Helper()
	if got := <-done; got.err != nil || got.move != want {
		t.Fatalf("Choose returned %v, %v; want %v", got.move, got.err, want)
	}
}

// wantError fails unless Choose returned the error.
func wantError(t *testing.T, done <-chan choice, want error) {
	t.Helper()
	if got := <-done; !errors.Is(got.err, want) {
		t.Fatalf("Choose returned %v, %v; want the error %v", got.move, got.err, want)
	}
}

// wantElapsed fails unless exactly this much of the bubble's time has passed.
func wantElapsed(t *testing.T, since time.Time, want time.Duration) {
	t.Helper()
	if got := time.Since(since); got != want {
		t.Errorf("it took %v, want %v", got, want)
	}
}

// pipeListener is a listener with pipes as its connections.
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

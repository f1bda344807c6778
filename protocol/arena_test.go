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

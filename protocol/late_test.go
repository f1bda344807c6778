package protocol_test

import (
	"context"
	"net"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/players/clock"
	"versus2048/protocol"
	"versus2048/rules"
)

// lateListener accepts connections with late reads, as in a process without free processors. It is
// a clock.Source that stands still until a read is late.
type lateListener struct {
	net.Listener
	late  atomic.Pointer[chan struct{}] // reads return once it is closed; nil: at once
	since atomic.Pointer[time.Time]     // when the first late read had bytes
}

// Running implements clock.Source.
func (l *lateListener) Running(now time.Time) time.Duration {
	if since := l.since.Load(); since != nil {
		return max(0, now.Sub(*since))
	}
	return 0
}

// Lag implements clock.Source.
func (*lateListener) Lag() time.Duration { return 0 }

func (l *lateListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return lateConn{conn, l}, err
}

type lateConn struct {
	net.Conn
	listener *lateListener
}

// NetConn returns the socket. While a pong is read late, the bytes that arrive meanwhile are in the
// socket.
func (c lateConn) NetConn() net.Conn { return c.Conn }

func (c lateConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if late := c.listener.late.Load(); late != nil && n > 0 {
		now := time.Now()
		c.listener.since.CompareAndSwap(nil, &now)
		<-*late
	}
	return n, err
}

// An answer that the arena reads when the time is long over has arrived in time, if nothing says otherwise.
func TestAnswerReadLate(t *testing.T) {
	a := newArena()
	server := httptest.NewUnstartedServer(a)
	listener := &lateListener{Listener: server.Listener}
	server.Listener = listener
	server.Start()
	t.Cleanup(func() {
		a.session.Goodbye("the test is over", false)
		server.Close()
	})
	b := dial(t, "ws"+strings.TrimPrefix(server.URL, "http"))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.startGame("1", p)
	read := make(chan struct{})
	listener.late.Store(&read)
	const limit = 50 * time.Millisecond
	turn := clock.NewTurn(listener, limit, 0)
	done := make(chan choice, 1)
	go func() {
		r := seat.Ask(t.Context(), p, turn)
		m, err := r.Move, r.Err
		done <- choice{m, err}
	}()
	receive[protocol.Start](b)
	receive[protocol.Request](b)
	b.send(move("1", 1, "N"))
	<-turn.Over()
	<-time.After(limit)
	close(read)
	wantMove(t, done, rules.North)
	if r := turn.End(); r.Used > limit {
		t.Errorf("the answer took %v of %v", r.Used, limit)
	}
}

// A bot that sends messages all the time, so that there is always something to read, gains no time
// by it.
func TestSendingBuysNoTime(t *testing.T) {
	a := newArena()
	a.limits.Unasked, a.limits.Bytes = 0, 0
	b := dial(t, a.listen(t))
	b.join()
	p := position(t, "2,0/0,2 D 0 1")
	seat := a.startGame("1", p)
	stop := make(chan struct{})
	defer close(stop)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				_ = b.ws.WriteControl(websocket.PongMessage, nil, time.Now().Add(time.Second)) // until the test ends
			}
		}
	}()
	for range 5 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		wantError(t, choose(ctx, seat, p), context.DeadlineExceeded)
		cancel()
	}
}

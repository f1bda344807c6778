package gate_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"versus2048/internal/server/gate"
	"versus2048/protocol"
)

// fakeConn is a connection from any address that waits until it is closed.
type fakeConn struct {
	net.Conn
	from   string
	once   sync.Once
	closed chan struct{}
}

func (c *fakeConn) RemoteAddr() net.Addr {
	a, _ := net.ResolveTCPAddr("tcp", c.from)
	return a
}

func (c *fakeConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

func (c *fakeConn) isClosed() bool {
	select {
	case <-c.closed:
		return true
	default:
		return false
	}
}

// fakeListener accepts the connections that are sent to it.
type fakeListener chan *fakeConn

func (l fakeListener) Accept() (net.Conn, error) {
	c, open := <-l
	if !open {
		return nil, net.ErrClosed
	}
	return c, nil
}
func (l fakeListener) Close() error   { close(l); return nil }
func (l fakeListener) Addr() net.Addr { return &net.TCPAddr{} }

// street is a gate and its clients.
type street struct {
	t        *testing.T
	listener fakeListener
	gate     *gate.Gate
	log      bytes.Buffer
}

// newStreet returns a gate with room for 32 connections: 24 that stay, 8 strangers. Each address may send 1 KiB a
// second.
func newStreet(t *testing.T, perAddress int) *street {
	t.Helper()
	s := &street{t: t, listener: make(fakeListener, 2)}
	limits := gate.DefaultLimits()
	limits.Total, limits.PerAddress, limits.Bytes = 32, perAddress, 1<<10
	var err error
	if s.gate, err = gate.New(s.listener, limits, slog.New(slog.NewTextHandler(&s.log, nil)), netip.MustParsePrefix("198.51.100.0/24")); err != nil {
		t.Fatal(err)
	}
	return s
}

// come lets a connection through the gate.
func (s *street) come(from string) (*fakeConn, *gate.Conn) {
	s.t.Helper()
	here, _ := net.Pipe()
	c := &fakeConn{Conn: here, from: from, closed: make(chan struct{})}
	s.listener <- c
	v, err := s.gate.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	return c, v.(*gate.Conn)
}

func TestOldestSilentStrangerGoesFirst(t *testing.T) {
	s := newStreet(t, 0)
	kept, v := s.come("127.0.0.1:1")
	if !v.Keep(0) {
		t.Fatal("there is no room for the first")
	}
	answered, v := s.come("127.0.0.1:2")
	done := v.Answer()
	var silent []*fakeConn
	for range 20 {
		c, _ := s.come("127.0.0.1:3")
		silent = append(silent, c)
	}
	for i, c := range silent {
		if want := i < 20-7; c.isClosed() != want { // 8 strangers, one of them is being answered
			t.Errorf("silent connection %d is closed: %v", i, c.isClosed())
		}
	}
	if kept.isClosed() || answered.isClosed() {
		t.Error("a connection that is not silent was closed")
	}
	done()
	s.come("127.0.0.1:3")
	if !answered.isClosed() {
		t.Error("the oldest stranger was not closed after its answer")
	}
}

// An address that connects again and again is refused for a while. Bots of this machine may all come at once, and
// connections of a proxy are judged by the requests that they carry.
func TestArrivalsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 100)
		for _, tc := range []struct {
			from                string
			burst, afterASecond int
		}{{"192.0.2.1:1", 100, 20}, {"127.0.0.1:1", 2000, 250}, {"198.51.100.7:1", 3000, 3000}} {
			if got := s.rush(tc.from, 3000); got != tc.burst {
				t.Errorf("%d connections of %s came in at once, want %d", got, tc.from, tc.burst)
			}
			<-time.After(time.Second) // virtual
			if got := s.rush(tc.from, 3000); got != tc.afterASecond {
				t.Errorf("%d connections of %s came in a second later, want %d", got, tc.from, tc.afterASecond)
			}
		}
	})
}

// An address that comes again has what is left of its burst of bytes. It is forgotten once its whole burst is back.
func TestComingAgainGivesNoNewBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 0)
		throttles := make(chan *protocol.Throttle, 1)
		web := &http.Server{ConnContext: s.gate.ConnContext, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			shared := gate.From(r.Context()).Throttles()
			throttles <- shared[0]
			protocol.Accept(w, r, protocol.DefaultLimits(), shared...) // takes bytes of the throttle
		})}
		go web.Serve(s.gate)
		defer web.Close()
		dialer := websocket.Dialer{NetDialContext: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			s.listener <- &fakeConn{Conn: here, from: "192.0.2.1:1", closed: make(chan struct{})}
			return there, nil
		}, Subprotocols: []string{protocol.Subprotocol}}
		visit := func(size int, stay time.Duration) *protocol.Throttle {
			ws, _, err := dialer.DialContext(t.Context(), "ws://arena/bot", nil)
			if err != nil {
				t.Fatal(err)
			}
			if size > 0 {
				ws.WriteMessage(websocket.TextMessage, make([]byte, size))
			}
			<-time.After(stay) // virtual
			ws.Close()
			synctest.Wait()
			return <-throttles
		}
		first := visit(1000, 100*time.Millisecond) // long enough for its burst of arrivals, not for its burst of bytes
		if visit(0, 2*time.Second) != first {
			t.Error("the address has a new burst of bytes because it has come again")
		}
		if visit(0, 0) == first {
			t.Error("the address is not forgotten, although it has its whole burst again")
		}
	})
}

// When a gate knows too many addresses, it forgets first those that lose nothing by it.
func TestFullGateForgetsIdleAddressesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 100)
		s.rush("192.0.2.1:1", 100) // its burst takes 5 s to come back
		for i := range 24_100 {
			_, v := s.come(fmt.Sprintf("10.0.%d.%d:1", i>>8, i&0xff))
			v.Close() // not idle yet: its burst takes 50 ms to come back
			if i == 20_000 {
				<-time.After(time.Second) // virtual
			}
		}
		if got := s.rush("192.0.2.1:1", 100); got != 20 {
			t.Errorf("%d connections came in after a second, want 20", got)
		}
	})
}

// rush tries to come n times, leaves at once, and returns how often the gate was open.
func (s *street) rush(from string, n int) (entered int) {
	done := make(chan int)
	go func() {
		count := 0
		for {
			v, err := s.gate.Accept()
			if err != nil || v.RemoteAddr().String() == "192.0.2.99:1" {
				done <- count
				return
			}
			count++
			v.Close()
		}
	}()
	for range n {
		here, _ := net.Pipe()
		s.listener <- &fakeConn{Conn: here, from: from, closed: make(chan struct{})}
	}
	here, _ := net.Pipe()
	s.listener <- &fakeConn{Conn: here, from: "192.0.2.99:1", closed: make(chan struct{})}
	return <-done
}

// An address with many connections does not drive out others.
func TestCrowdedAddressGoesFirst(t *testing.T) {
	s := newStreet(t, 0)
	alone, _ := s.come("192.0.2.1:1")
	for range 20 {
		s.come("[2001:db8::1]:3")
		s.come("[2001:db8::2]:3") // the same network
	}
	if alone.isClosed() {
		t.Error("the only connection of its address was closed")
	}
}

func TestKeepLeavesPlaces(t *testing.T) {
	s := newStreet(t, 0)
	for i := range 20 {
		_, v := s.come("127.0.0.1:1")
		if kept, again := v.Keep(4), v.Keep(4); !kept || !again {
			t.Fatalf("no room for %d", i)
		}
	}
	c, v := s.come("127.0.0.1:1")
	if v.Keep(4) {
		t.Error("a place that should be free was given away")
	}
	for range 4 {
		if _, v := s.come("127.0.0.1:1"); !v.Keep(0) {
			t.Error("a free place was not given to the one it was for")
		}
	}
	if v.Keep(0) {
		t.Error("there is more room than there should be")
	}
	v.Close()
	if !c.isClosed() || v.Keep(0) {
		t.Error("a closed connection is kept")
	}
}

// Connections beyond the limit of an address get an answer that says so.
func TestTooManyFromOneAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 2)
		_, first := s.come("192.0.2.1:1")
		s.come("192.0.2.1:2")
		here, there := net.Pipe()
		s.listener <- &fakeConn{Conn: here, from: "192.0.2.1:3", closed: make(chan struct{})}
		s.listener <- &fakeConn{Conn: here, from: "192.0.2.2:3", closed: make(chan struct{})}
		if v, err := s.gate.Accept(); err != nil || v.RemoteAddr().String() != "192.0.2.2:3" {
			t.Errorf("accepted %v (%v), want the connection of the other address", v.RemoteAddr(), err)
		}
		go there.Write([]byte("GET / HTTP/1.1\r\n\r\n"))
		if text, err := io.ReadAll(there); err != nil || !strings.Contains(string(text), "503") || !strings.Contains(string(text), "too many connections from your address") {
			t.Errorf("the answer is %q (%v)", text, err)
		}
		first.Close()
		s.come("192.0.2.1:4") // a place is free again
	})
}

func TestLimitsThatLeaveNoRoom(t *testing.T) {
	for _, total := range []int{1, -1, 1 << 30} {
		if _, err := gate.New(make(fakeListener), gate.Limits{Total: total}, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "ulimit -n") {
			t.Errorf("%d connections: %v", total, err)
		}
	}
}

// A client that takes nothing of a stream loses its connection.
func TestWriteWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 0)
		_, v := s.come("127.0.0.1:1")
		began := time.Now()
		if _, err := v.Write([]byte("x")); err == nil || time.Since(began) != gate.DefaultLimits().WriteWait {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

// A connection has to wait if its requests are refused again and again.
func TestRefusedTooOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 0)
		_, v := s.come("127.0.0.1:1")
		began := time.Now()
		for range 120 {
			v.Refused(t.Context())
		}
		if took := time.Since(began).Round(time.Second); took != 5*time.Second {
			t.Errorf("120 refusals took %v, want 5 s", took)
		}
	})
}

// A calm log writes few lines of a kind, and a summary of the others.
func TestCalmLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		log := gate.CalmLog(slog.New(slog.NewTextHandler(&text, nil)))
		for range 1000 {
			log.Warn("bot refused", "from", "192.0.2.1:77", "code", "bad_token")
		}
		log.Warn("bot refused", "from", "192.0.2.2:77")
		log.Info("bot admitted", "bot", "ann")
		<-time.After(2 * time.Minute)
		synctest.Wait()
		if n := strings.Count(text.String(), "\n"); n != 20+1+1 {
			t.Errorf("%d lines:\n%s", n, text.String())
		}
		if want := `message="bot refused" lines=981 within=1m0s machines=2 most=192.0.2.1 "of them"=980`; !strings.Contains(text.String(), want) {
			t.Errorf("the log has no %s:\n%s", want, text.String())
		}
		log.Warn("bot refused", "from", "192.0.2.1:77")
		if !strings.HasSuffix(text.String(), "msg=\"bot refused\" from=192.0.2.1:77\n") {
			t.Error("a minute later the first line is not written")
		}
		<-time.After(2 * time.Minute)
	})
}

// The connection of a request is found.
func TestFrom(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	g, err := gate.New(listener, gate.DefaultLimits(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	found := make(chan bool, 1)
	web := &http.Server{ConnContext: g.ConnContext, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		found <- gate.From(r.Context()) != nil
	})}
	go web.Serve(g)
	defer web.Close()
	response, err := http.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if !<-found {
		t.Error("the request has no connection")
	}
}

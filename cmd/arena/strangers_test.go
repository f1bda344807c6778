//go:build unix

package main

import (
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// Silent connections take up all that strangers may have of 256 descriptors. Games go on, bots that
// lose their connection come back, and commands are answered.
func TestSilentConnections(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.start(t, "sh", "-c", "ulimit -n 256; exec arena serve --db "+h.db+" --addr "+h.Address)
	line := newRelay(t, h.Address)
	h.bot(t, "ann", "random", "--slots", "4")
	startProcess(t, "bot", "run", "random", "--name", "bob", "--slots", "4", "--url", "ws://"+line.address+"/bot", "--reconnect", "1m")
	h.await(t, 2)
	silent := occupy(t, h.Address, 600)
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"ann", "bob"}, Size: rules.Full, Matches: 30, Concurrency: 4,
		Clock: tournament.Clock{PerMove: 20 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	cuts, next := 0, 0
	last, err := h.client.Follow(t.Context(), event, func(p server.Progress) {
		if p.Done >= next && cuts < 3 {
			cuts, next = cuts+1, p.Done+10
			line.cut()
		}
	})
	if err != nil || last.State != server.Finished || cuts < 2 {
		t.Fatalf("the event is %s after %d cuts: %s %v", last.State, cuts, last.Message, err)
	}
	for name, g := range h.games(t, event) {
		if g.Ending.Fault() {
			t.Errorf("match %d game %d is lost by %s: %s", name.match, name.leg, g.Ending, g.Detail)
		}
	}
	h.verify(t, event, 60)
	if n := silent.open(); n > 200 {
		t.Errorf("%d silent connections are still open", n)
	}
	if n := strings.Count(h.server.Output.String(), "connection closed to make room"); n > 50 {
		t.Errorf("the log has %d lines about closed connections", n)
	}
}

// silentConns are connections without a complete message.
type silentConns struct {
	mu     sync.Mutex
	closed int
	all    []net.Conn
}

// occupy opens connections: some say nothing, some begin a request, some a WebSocket.
func occupy(t *testing.T, address string, n int) *silentConns {
	t.Helper()
	s := &silentConns{}
	for i := range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		begin := []string{"", "GET /api/bots HTTP/1.1\r\nHost: x\r\nX: ", "GET /bot HTTP/1.1\r\nHost: " + address + "\r\nConnection: Upgrade\r\n" +
			"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: versus2048.v1\r\n\r\n"}[i%3]
		_, _ = fmt.Fprint(c, begin) // the arena may have closed it
		s.all = append(s.all, c)
		go func() {
			_, _ = io.Copy(io.Discard, c) // until the arena closes it
			s.mu.Lock()
			defer s.mu.Unlock()
			s.closed++
		}()
	}
	return s
}

// open returns how many connections the arena has not closed.
func (s *silentConns) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all) - s.closed
}

// relay passes connections on to an address and can cut them.
type relay struct {
	address string
	mu      sync.Mutex
	conns   []net.Conn
}

func newRelay(t *testing.T, to string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &relay{address: listener.Addr().String()}
	t.Cleanup(func() { listener.Close(); r.cut() })
	go func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			r.mu.Lock()
			r.conns = append(r.conns, near, far)
			r.mu.Unlock()
			go pass(near, far)
			go pass(far, near)
		}
	}()
	return r
}

// pass copies one way until either end closes.
func pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	to.Close()
	from.Close()
}

// cut closes all connections.
func (r *relay) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
}

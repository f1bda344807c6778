package server_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/gate"
)

// hasty gives requests little time.
func hasty(config *server.Config) {
	config.Connections = gate.DefaultLimits()
	config.Connections.HeaderTime = 200 * time.Millisecond
	config.Connections.RequestTime = 300 * time.Millisecond
	config.Connections.IdleTime = 200 * time.Millisecond
}

// A client that sends nothing, or too slowly, loses its connection.
func TestSilentRequestsEnd(t *testing.T) {
	c := serve(t, newStore(), hasty)
	for name, begin := range map[string]string{
		"nothing":          "",
		"half a header":    "GET /api/bots HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
		"half a body":      "POST /api/nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
		"one request only": "GET /api/bots HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = fmt.Fprint(conn, begin) // it may be closed already
		if err := conn.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
			t.Fatal(err)
		}
		// It may also be reset, if it was closed before all of this had arrived.
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection is not closed: %v", name, err)
		}
	}
}

func TestLongHeaderIsRefused(t *testing.T) {
	t.Parallel()
	c := serve(t, newStore(), nil)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+"/api/bots", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Long", strings.Repeat("x", 32<<10))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("answered %s", response.Status)
	}
}

// Streams, and bots, live longer than requests may take.
func TestStreamsLiveOn(t *testing.T) {
	t.Parallel()
	store := newStore()
	store.hold = true
	c := serve(t, store, func(config *server.Config) {
		config.Connections = gate.DefaultLimits()
		config.Connections.HeaderTime, config.Connections.RequestTime, config.Connections.IdleTime = 4*time.Second, 4*time.Second, time.Second
	})
	ws, first := hello(t, c, "ann", "", nil)
	if first["type"] != "welcome" {
		t.Fatalf("the answer is %v", first)
	}
	event, err := c.Start(t.Context(), local(3))
	if err != nil {
		t.Fatal(err)
	}
	stopped := make(chan error, 1)
	time.AfterFunc(5*time.Second, func() { // longer than a request may take
		stopped <- c.Stop(t.Context(), event)
	})
	if last := ended(t, c, event); last.State != server.Interrupted {
		t.Errorf("the event is %s: %s", last.State, last.Message)
	}
	if err := <-stopped; err != nil { // its answer may come after the event's end
		t.Error(err)
	}
	if err := ws.WriteJSON(map[string]any{"type": "goodbye"}); err != nil {
		t.Error(err)
	}
	if _, _, err := ws.ReadMessage(); err == nil || !strings.Contains(err.Error(), "1000") {
		t.Errorf("after a goodbye: %v", err)
	}
}

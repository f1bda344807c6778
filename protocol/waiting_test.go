package protocol_test

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// A bot may be started before its arena.
func TestClientWaitsForItsArena(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	tried := make(chan struct{}, 100)
	c := client("ws://"+address, nil)
	c.Log = logTo(func(message string) {
		if strings.HasPrefix(message, "no arena") {
			tried <- struct{}{}
		}
	})
	finished := run(t.Context(), c)
	<-tried
	if listener, err = net.Listen("tcp", address); err != nil {
		t.Fatal(err)
	}
	a := newArena()
	server := &http.Server{Handler: a}
	t.Cleanup(func() { server.Close() })
	go server.Serve(listener) // until closed
	a.wait(t)
	a.session.Goodbye("that's all", false)
	if err := <-finished; err != nil {
		t.Errorf("Run returned %v, want nil after a goodbye", err)
	}
}

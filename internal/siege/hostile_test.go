package main

import (
	"net"
	"testing"
)

// The context of an attacker forgets a connection that is closed.
func TestClosedConnectionIsForgotten(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	a := &attacker{url: "ws://" + listener.Addr().String() + "/bot"}
	conn, err := a.connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if conn.(ending).stop() {
		t.Error("the context would have closed it again")
	}
}

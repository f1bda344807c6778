package testkit_test

import (
	"net"
	"strconv"
	"testing"

	"versus2048/internal/testkit"
)

// No address comes twice, and no port is one that a system chooses by itself or that browsers refuse to open: the
// highest of these is 10080.
func TestAddresses(t *testing.T) {
	given := map[int]bool{}
	for range 100 {
		port := free(t)
		if port <= 10_080 || port >= 32_768 {
			t.Errorf("port %d", port)
		}
		if given[port] {
			t.Errorf("port %d comes twice", port)
		}
		given[port] = true
	}
}

// An address where something listens is not given.
func TestBusyAddress(t *testing.T) {
	for {
		next := free(t) + 1
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(next)))
		if err != nil {
			continue // another program has it, and may give it back
		}
		defer listener.Close()
		if port := free(t); port == next {
			t.Errorf("something listens at port %d", port)
		}
		return
	}
}

// free returns the port of a free address.
func free(t *testing.T) int {
	t.Helper()
	address, err := testkit.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	_, text, err := net.SplitHostPort(address)
	port, wrong := strconv.Atoi(text)
	if err != nil || wrong != nil {
		t.Fatalf("%q is no address", address)
	}
	return port
}

package gate_test

import (
	"errors"
	"net/netip"
	"testing"

	"versus2048/internal/server/gate"
)

// A quota has places for all together and fewer for each network; this machine has as many as all.
func TestQuota(t *testing.T) {
	q := &gate.Quota{Most: 4, PerAddress: 2}
	var free []func()
	take := func(from string, want bool) {
		t.Helper()
		done, err := q.Take(netip.MustParseAddr(from))
		if (err == nil) != want || err != nil && !errors.Is(err, gate.ErrTooMany) {
			t.Fatalf("from %s: %v, want a place: %v", from, err, want)
		}
		if err == nil {
			free = append(free, done)
		}
	}
	take("2001:db8::1", true)
	take("2001:db8::2", true)
	take("2001:db8::3", false) // of the same network
	take("203.0.113.9", true)
	take("127.0.0.1", true)
	take("127.0.0.1", false)
	for range 2 { // a place is given back once
		free[0]()
	}
	take("2001:db8::3", true)
	take("198.51.100.1", false)
	for _, done := range free {
		done()
	}
	for range 4 {
		take("127.0.0.1", true)
	}
}

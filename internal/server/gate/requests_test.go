package gate_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/gate"
)

// proxy is the address of a proxy's connection to the gate of a street.
const proxy = "198.51.100.7:1"

// carry lets a connection carry a request of a client until done is called.
func carry(t *testing.T, v *gate.Conn, client string) (done func()) {
	t.Helper()
	done, err := v.Carry(netip.MustParseAddr(client))
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// One client of a proxy has the room of one address, on whichever connections the proxy sends its requests, and others
// still have theirs.
func TestClientOfAProxyHasTheRoomOfOneAddress(t *testing.T) {
	s := newStreet(t, 2)
	_, a := s.come(proxy)
	_, b := s.come(proxy)
	_, c := s.come(proxy)
	first, second := carry(t, a, "192.0.2.1"), carry(t, b, "192.0.2.1")
	if _, err := c.Carry(netip.MustParseAddr("192.0.2.1")); err == nil || !strings.Contains(err.Error(), "too many from this address") {
		t.Errorf("the third connection: %v", err)
	}
	carry(t, c, "192.0.2.2")()
	first()
	carry(t, a, "192.0.2.2")() // the same connection carries another client
	carry(t, c, "192.0.2.1")()
	b.Close() // while it carries a request
	second()
	first, second = carry(t, a, "192.0.2.1"), carry(t, c, "192.0.2.1")
	first()
	second()
	_, direct := s.come("192.0.2.9:1")
	for range 3 {
		carry(t, direct, "192.0.2.1") // a stranger's claim is ignored
	}
}

// The connections of a client of a proxy that stay, as of admitted bots, count for it until they end.
func TestConnectionsOfAClientThatStay(t *testing.T) {
	s := newStreet(t, 1)
	_, a := s.come(proxy)
	_, b := s.come(proxy)
	carry(t, a, "192.0.2.1")
	if !a.Keep(0) {
		t.Fatal("there is no room")
	}
	if _, err := b.Carry(netip.MustParseAddr("192.0.2.1")); err == nil {
		t.Error("a second connection is accepted beside one that stays")
	}
	a.Close()
	carry(t, b, "192.0.2.1")
}

// A client of a proxy that asks again and again is refused for a while, and nobody else.
func TestRequestsThroughAProxyAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 100)
		_, v := s.come(proxy)
		rush := func(client string) (accepted int) {
			for range 3000 {
				if done, err := v.Carry(netip.MustParseAddr(client)); err == nil {
					accepted++
					done()
				}
			}
			return accepted
		}
		for _, tc := range []struct {
			client              string
			burst, afterASecond int
		}{{"192.0.2.1", 100, 20}, {"2001:db8::1", 100, 20}, {"198.51.100.7", 2000, 250}} {
			burst := rush(tc.client)
			<-time.After(time.Second) // virtual
			if later := rush(tc.client); burst != tc.burst || later != tc.afterASecond {
				t.Errorf("%s: %d requests at once and %d a second later are accepted, want %d and %d", tc.client, burst, later, tc.burst, tc.afterASecond)
			}
		}
	})
}

// All connections of a client of a proxy share one throttle, and wait together if they are refused.
func TestClientOfAProxyIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 0)
		_, a := s.come(proxy)
		_, b := s.come(proxy)
		if a.Throttles() != nil {
			t.Error("a proxy is throttled")
		}
		doneA, doneB := carry(t, a, "192.0.2.1"), carry(t, b, "192.0.2.1")
		shared := a.Throttles()
		if len(shared) != 1 || !slices.Equal(shared, b.Throttles()) {
			t.Error("two connections of a client share no throttle")
		}
		began := time.Now()
		for range 60 {
			a.Refused(t.Context())
			b.Refused(t.Context())
		}
		if took := time.Since(began).Round(time.Second); took != 5*time.Second {
			t.Errorf("120 refusals of a client took %v, want 5 s", took)
		}
		doneA()
		doneB()
		carry(t, b, "192.0.2.2")
		if slices.Equal(shared, b.Throttles()) {
			t.Error("two clients share a throttle")
		}
		began = time.Now()
		b.Refused(t.Context())
		if took := time.Since(began); took != 0 {
			t.Errorf("the first refusal of another client took %v", took)
		}
	})
}

// When strangers have no room left, the gate closes a connection of the client with the most connections, not one of
// another client of the same proxy.
func TestCrowdBehindAProxyGoesFirst(t *testing.T) {
	s := newStreet(t, 0)
	alone, v := s.come(proxy)
	carry(t, v, "192.0.2.1")
	for range 20 {
		_, v := s.come(proxy)
		carry(t, v, "192.0.2.2")
	}
	if alone.isClosed() {
		t.Error("the only connection of its client was closed")
	}
}

// A client that has no room is told so.
func TestRefusedRequestsSayWhy(t *testing.T) {
	s := newStreet(t, 1)
	_, a := s.come(proxy)
	_, b := s.come(proxy)
	carry(t, a, "192.0.2.1")
	served := false
	handler := s.gate.ByClient(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served = true }),
		func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.1") })
	answer := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(s.gate.ConnContext(t.Context(), b), http.MethodGet, "/api/bots", nil)
	handler.ServeHTTP(answer, r)
	if answer.Code != http.StatusServiceUnavailable || answer.Header().Get("Retry-After") == "" || !strings.Contains(answer.Body.String(), "--max-per-address") || served {
		t.Errorf("answered with %d: %s", answer.Code, answer.Body)
	}
	a.Close()
	handler.ServeHTTP(httptest.NewRecorder(), r)
	if !served {
		t.Error("a request is not served though there is room")
	}
}

package gate_test

import (
	"maps"
	"net/netip"
	"testing"
	"testing/synctest"

	"versus2048/internal/server/gate"
)

func TestCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 70)
		want := gate.Counts{KeptRoom: 24, StrangersRoom: 8, Turned: map[gate.Reason]int{gate.TooMany: 0, gate.TooFast: 0, gate.ForOther: 0}}
		check := func(when string) {
			t.Helper()
			got := s.gate.Counts()
			if !maps.Equal(got.Turned, want.Turned) {
				t.Errorf("%s: turned away %v, want %v", when, got.Turned, want.Turned)
			}
			if got.Turned = want.Turned; got.Kept != want.Kept || got.Strangers != want.Strangers || got.KeptRoom != want.KeptRoom || got.StrangersRoom != want.StrangersRoom {
				t.Errorf("%s: %+v, want %+v", when, got, want)
			}
		}
		check("in the beginning")
		_, v := s.come("127.0.0.1:1")
		if !v.Keep(0) {
			t.Fatal("no room")
		}
		for range 10 {
			s.come("127.0.0.1:2")
		}
		want.Kept, want.Strangers, want.Turned[gate.ForOther] = 1, 8, 2
		check("after ten strangers")
		v.Close()
		want.Kept = 0
		check("after the bot has left")

		if got := s.rush("192.0.2.1:1", 100); got != 70 {
			t.Fatalf("%d came in", got)
		}
		want.Turned[gate.TooFast] = 30
		want.Turned[gate.ForOther]++ // for the first of them; each leaves before the next
		check("after many a second")
	})
}

// A client of a proxy that asks too often is counted like one that connects too often.
func TestCountsOfProxies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreet(t, 0)
		_, v := s.come("198.51.100.7:1")
		client := netip.MustParseAddr("192.0.2.1")
		for range 3000 {
			if done, err := v.Carry(client); err == nil {
				done()
			}
		}
		if turned := s.gate.Counts().Turned[gate.TooFast]; turned != 1000 {
			t.Errorf("%d of 3000 requests at once were turned away, want 1000", turned)
		}
	})
}

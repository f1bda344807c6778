package protocol

import (
	"testing"
	"time"
)

func TestPings(t *testing.T) {
	var p pings
	now := time.Now()
	answer := func(after time.Duration) {
		data := string(p.sent(now))
		p.answered("0", now) // some other ping's
		p.answered(data, now.Add(after))
		p.answered(data, now) // a second time
	}
	want := func(trip time.Duration) {
		t.Helper()
		if got := p.roundTrip(); got != trip {
			t.Errorf("the round trip is %v, want %v", got, trip)
		}
	}
	want(0)
	p.answered("0", now) // nothing was sent
	want(0)
	answer(30)
	want(30)
	answer(20)
	for range tripsKept - 1 {
		answer(50)
	}
	want(20)
	answer(50) // the 20 is too long ago
	want(50)
}

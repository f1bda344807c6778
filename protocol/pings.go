package protocol

import (
	"slices"
	"strconv"
	"sync"
	"time"
)

// pings measure how long a message to the other end and its answer are under
// way. The zero pings have measured nothing.
type pings struct {
	mu     sync.Mutex
	number int       // of the last one
	at     time.Time // when it was sent; zero once it is answered
	trips  []time.Duration
}

// tripsKept is how many measurements count.
const tripsKept = 8

// sent notes a ping that is sent now, and returns what it carries.
func (p *pings) sent(now time.Time) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.number++
	p.at = now
	return strconv.AppendInt(nil, int64(p.number), 10)
}

// answered notes a pong that carries data. Only the first answer to the last
// ping counts.
func (p *pings) answered(data string, now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at.IsZero() || data != strconv.Itoa(p.number) {
		return
	}
	p.trips = append(p.trips, now.Sub(p.at))
	p.trips = p.trips[max(0, len(p.trips)-tripsKept):]
	p.at = time.Time{}
}

// roundTrip is the shortest of the last measurements, 0 if there is none: what
// the network takes at least. One that waited behind something else, at either
// end, does not count.
func (p *pings) roundTrip() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.trips) == 0 {
		return 0
	}
	return slices.Min(p.trips)
}

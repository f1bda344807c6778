package gate

import "maps"

// Counts has the number of connections of a gate, and the number that it turned away.
type Counts struct {
	Kept, Strangers         int // now
	KeptRoom, StrangersRoom int // how many there may be
	// Turned are the connections, and the requests through proxies, that were turned away since the start, by reason.
	Turned map[Reason]int
}

// Reason is why a connection or a request had no room.
type Reason string

// The reasons.
const (
	TooMany  Reason = "too-many"  // from this address, at once
	TooFast  Reason = "too-fast"  // from this address, a second
	ForOther Reason = "for-other" // a silent stranger that was closed for another one
)

// Counts returns the present counts of the gate.
func (g *Gate) Counts() Counts {
	g.mu.Lock()
	defer g.mu.Unlock()
	most := strangers(g.limits.Total)
	return Counts{
		Kept: g.kept, Strangers: len(g.waiting), KeptRoom: g.limits.Total - most, StrangersRoom: most,
		Turned: maps.Clone(g.turned),
	}
}

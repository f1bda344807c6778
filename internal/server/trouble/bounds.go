package trouble

import (
	"fmt"
	"time"
)

// Bounds are the limits beyond which something is a trouble.
type Bounds struct {
	Stall   time.Duration // how long a move may be late before it is a trouble
	Missing time.Duration // how long an event waits for a bot
	Faults  int           // games that a bot has lost by a fault, of its last Games in an event
	Games   int           // at most MostGames
	Free    int64         // bytes that have to be free on the database's disk
}

// MostGames is the largest value of Bounds.Games.
const MostGames = 64

// DefaultBounds returns bounds that fit most arenas.
func DefaultBounds() Bounds {
	return Bounds{Stall: time.Minute, Missing: 10 * time.Minute, Faults: 3, Games: 10, Free: 1 << 30}
}

// Validate returns an error that names a bound that is out of range.
func (b Bounds) Validate() error {
	switch {
	case b.Stall <= 0:
		return fmt.Errorf("an event stalls after %v: want more than 0", b.Stall)
	case b.Missing <= 0:
		return fmt.Errorf("a bot is missing after %v: want more than 0", b.Missing)
	case b.Faults < 1 || b.Games < b.Faults || b.Games > MostGames:
		return fmt.Errorf("%d faults in %d games: want 1 or more faults, in at least as many games and at most %d", b.Faults, b.Games, MostGames)
	case b.Free < 0:
		return fmt.Errorf("%d bytes free: want 0 or more", b.Free)
	}
	return nil
}

// The longest and the shortest time from one snapshot to the next.
const (
	longestInterval  = 5 * time.Second
	shortestInterval = 10 * time.Millisecond
)

// interval returns the time between two snapshots.
func (b Bounds) interval() time.Duration {
	return max(shortestInterval, min(longestInterval, b.Stall/4, b.Missing/4))
}

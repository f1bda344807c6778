package tournament

import (
	"fmt"
	"time"
)

// Lenience is what the referee forgives a late answer. The zero Lenience
// forgives nothing.
type Lenience struct {
	// Margin is how much later than its time an answer may come and still count.
	// The time is used all the same: of a total clock it can be overdrawn by so
	// much in the whole game, since what follows has to make up for it.
	Margin Millis `json:"margin_ms,omitzero"`
	// Lag is how much of a move's time the clock gives back at most for the
	// network, by what the arena itself measures of it.
	Lag Millis `json:"lag_ms,omitzero"`
}

// maxLenience keeps an interruption, which waits for late answers, short.
const maxLenience = Millis(10 * time.Second)

func (l Lenience) validate() error {
	if l.Margin < 0 || l.Margin > maxLenience || l.Lag < 0 || l.Lag > maxLenience {
		return fmt.Errorf("margin %v and lag %v: want 0 to %v each", time.Duration(l.Margin), time.Duration(l.Lag), time.Duration(maxLenience))
	}
	return nil
}

// Patience is how long after its time an answer may still come in time.
func (l Lenience) Patience() time.Duration { return time.Duration(l.Margin + l.Lag) }

// credit is what a move gets back of the time that it took, where a message
// goes to the bot and back in roundTrip.
func (l Lenience) credit(roundTrip, took time.Duration) time.Duration {
	return max(0, min(roundTrip, time.Duration(l.Lag), took))
}

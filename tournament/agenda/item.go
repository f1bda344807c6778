package agenda

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Wanted is the operator's wish for an event.
type Wanted string

// The possible wishes.
const (
	Running Wanted = "running" // play it at its time, as soon as its bots are there, and again after a restart
	Paused  Wanted = "paused"  // start none of its games
	Stopped Wanted = "stopped" // do not play it
)

// Item is an event on the agenda of an arena.
type Item struct {
	Event  int64     // its number
	Place  int64     // in the queue: lower ones come first
	Wanted Wanted    // the operator's wish
	Begin  time.Time // the earliest time of its beginning; zero if it has begun
	// Wait is the longest time that the event waits for its bots, from Begin on; 0 means no limit.
	// In a series it waits at most until the next time of the series.
	Wait   time.Duration
	Every  Every  // the interval of the series; once for events of a series that have begun
	Times  int    // the number of events in the series; 0 means no end
	Nth    int    // its number in the series, from 1; 0 without a series
	Series int64  // the number of the first event of its series, 0 without a series
	Reason string // why it was stopped without an operator, or which time was missed
}

// Validate returns an error for an item that contradicts itself.
func (i *Item) Validate() error {
	switch {
	case i.Wait < 0:
		return fmt.Errorf("wait %v: want a time of at least 0", i.Wait)
	case i.Times < 0:
		return fmt.Errorf("times %d: want a number of at least 0", i.Times)
	case i.Times > 0 && i.Every.Once():
		return fmt.Errorf("times %d: also set every, the interval or the times of day", i.Times)
	}
	return nil
}

// Due reports whether the item's time has come.
func (i *Item) Due(now time.Time) bool { return !i.Begin.After(now) }

// Until returns the end of the item's wait for its bots; zero means no limit.
func (i *Item) Until() time.Time {
	if i.Begin.IsZero() {
		return time.Time{}
	}
	var until time.Time
	if !i.Every.Once() {
		until = i.Every.after(i.Begin, i.Begin)
	}
	if i.Wait > 0 && (until.IsZero() || i.Begin.Add(i.Wait).Before(until)) {
		until = i.Begin.Add(i.Wait)
	}
	return until
}

// Expired reports whether the item has waited for too long and has no next time.
func (i *Item) Expired(now time.Time) bool {
	until := i.Until()
	return i.Every.Once() && !until.IsZero() && !now.Before(until)
}

// Roll returns the item of a series at the given time. If the series has missed times, because the arena was down or
// the bots were absent, only the last of them counts: the event is late. If the event's wait from that time on is over,
// too, the next time counts. missed reports whether Begin has changed.
func (i Item) Roll(now time.Time) (rolled Item, missed bool) {
	if i.Every.Once() || i.Begin.IsZero() || !i.Due(now) {
		return i, false
	}
	begin := i.Begin
	i.Begin = i.Every.latest(begin.In(now.Location()), now)
	if until := i.Until(); !now.Before(until) {
		i.Begin = i.Every.after(i.Begin, now)
	}
	return i, !i.Begin.Equal(begin)
}

// Skip returns the item of a series, moved to the next time after its own and after now.
func (i Item) Skip(now time.Time) Item {
	begin := i.Begin.In(now.Location())
	i.Begin = i.Every.after(begin, later(begin, now))
	return i
}

// Begun returns the item as it is after its beginning, without the rest of its series: call Next before.
func (i Item) Begun() Item {
	i.Begin, i.Wait, i.Every, i.Reason = time.Time{}, 0, Every{}, ""
	return i
}

// CarriesSeries reports whether the rest of a series follows the item: the item is to be played,
// and has not begun.
func (i *Item) CarriesSeries() bool { return i.Wanted == Running && !i.Every.Once() }

// Next returns the next item of the series, which has no event yet. more is false if there is none.
func (i Item) Next() (next Item, more bool) {
	if i.Every.Once() || i.Times > 0 && i.Nth >= i.Times {
		return next, false
	}
	next = i
	next.Event, next.Place, next.Reason = 0, 0, ""
	next.Begin, next.Nth = i.Every.after(i.Begin, i.Begin), i.Nth+1
	return next, true
}

// seedBits is the number of bits of an event's seed.
const seedBits = 53

// Seed returns the seed of the nth event of a series, given the seed of the first event.
func Seed(first uint64, nth int) uint64 {
	if nth <= 1 {
		return first
	}
	return rand.New(rand.NewPCG(first, uint64(nth))).Uint64() >> (64 - seedBits)
}

// Name returns the name of the nth event of a series, such as "spring open #3", given the name of
// another event of the series, or of a single event.
func Name(name string, nth int) string {
	return fmt.Sprintf("%s #%d", base(name), nth)
}

func base(name string) string {
	at := strings.LastIndex(name, " #")
	if at < 0 || strings.Trim(name[at+2:], "0123456789") != "" {
		return name
	}
	return name[:at]
}

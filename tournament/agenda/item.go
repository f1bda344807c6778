package agenda

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// Wanted is what the operator wants of an event.
type Wanted string

// What may be wanted.
const (
	Running Wanted = "running" // play it: at its time, as soon as its bots are there, and again after a restart
	Paused  Wanted = "paused"  // begin no games of it
	Stopped Wanted = "stopped" // do not play it
)

// Item is an event on the agenda of an arena.
type Item struct {
	Event  int64     // its number
	Place  int64     // in the queue: lower ones come first
	Wanted Wanted    // what the operator wants of it
	Begin  time.Time // it does not begin before; zero if it has begun
	// Wait is how long after Begin it may wait for its bots, 0 for as long as it takes. In a series it
	// waits until the next time of the series at most.
	Wait   time.Duration
	Every  Every  // how often it is played; once for the events of a series that have begun
	Times  int    // how many events the series has, 0 for no end
	Nth    int    // which one of the series it is, from 1; 0 without a series
	Series int64  // the number of the first event of its series, 0 without a series
	Reason string // why it was stopped, if nobody stopped it; or what was missed
}

// Validate returns an error for an item that contradicts itself.
func (i *Item) Validate() error {
	switch {
	case i.Wait < 0:
		return fmt.Errorf("wait %v: want a time of at least 0", i.Wait)
	case i.Times < 0:
		return fmt.Errorf("times %d: want a number of at least 0", i.Times)
	case i.Times > 0 && i.Every.Once():
		return fmt.Errorf("times %d: say how often, too: every", i.Times)
	}
	return nil
}

// Due reports whether its time has come.
func (i *Item) Due(now time.Time) bool { return !i.Begin.After(now) }

// Until returns until when it may wait for its bots; zero means as long as it takes.
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

// Expired reports whether it has waited for too long, and has no next time.
func (i *Item) Expired(now time.Time) bool {
	until := i.Until()
	return i.Every.Once() && !until.IsZero() && !now.Before(until)
}

// Roll returns the item of a series as it is at that time. Of the times that it has missed, because the
// arena was down or its bots were not there, only the last one counts: it is late. If it is too late
// even for that one, the next time counts. missed reports whether Begin has changed.
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

// Skip returns the item of a series with the next time after its own and after now.
func (i Item) Skip(now time.Time) Item {
	begin := i.Begin.In(now.Location())
	i.Begin = i.Every.after(begin, later(begin, now))
	return i
}

// Begun returns the item once it has begun. The rest of its series is that of Next.
func (i Item) Begun() Item {
	i.Begin, i.Wait, i.Every, i.Reason = time.Time{}, 0, Every{}, ""
	return i
}

// CarriesSeries reports whether the rest of a series follows the item: it is to be played, and has not begun.
func (i *Item) CarriesSeries() bool { return i.Wanted == Running && !i.Every.Once() }

// Next returns the next item of its series, which has no event yet. more is false if there is none.
func (i Item) Next() (next Item, more bool) {
	if i.Every.Once() || i.Times > 0 && i.Nth >= i.Times {
		return next, false
	}
	next = i
	next.Event, next.Place, next.Reason = 0, 0, ""
	next.Begin, next.Nth = i.Every.after(i.Begin, i.Begin), i.Nth+1
	return next, true
}

// seedBits is how many bits the seed of an event has.
const seedBits = 53

// Seed returns the seed of the nth event of a series whose first one has the seed first.
func Seed(first uint64, nth int) uint64 {
	if nth <= 1 {
		return first
	}
	return rand.New(rand.NewPCG(first, uint64(nth))).Uint64() >> (64 - seedBits)
}

// Name returns the name of the nth event of a series, given that of another one, or of an event without
// a series: "spring open #3".
func Name(name string, nth int) string {
	return fmt.Sprintf("%s #%d", base(name), nth)
}

// base returns a name without its number.
func base(name string) string {
	at := strings.LastIndex(name, " #")
	if at < 0 || strings.Trim(name[at+2:], "0123456789") != "" {
		return name
	}
	return name[:at]
}

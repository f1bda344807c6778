package agenda

import (
	"cmp"
	"slices"
	"time"
)

// Room is what an arena has for the events of its queue.
type Room interface {
	// Needs returns the names of the bots of an event, and of whatever else it has to have for itself.
	Needs(event int64) []string
	// Look returns which of the event's bots are not connected, and which of its needs another event has.
	Look(event int64) (absent, busy []string)
	// Begin begins an event. It returns an error if that is not possible now.
	Begin(event int64) error
}

// Obstacles are why an event that is due has not begun.
type Obstacles struct {
	Absent []string `json:"absent,omitempty"` // bots that are not connected
	Busy   []string `json:"busy,omitempty"`   // bots that play in another event
	Behind []int64  `json:"behind,omitempty"` // events before it in the queue, which are to have its bots first
	Other  string   `json:"other,omitempty"`  // anything else, such as memory
}

// None reports whether nothing is in the way.
func (o *Obstacles) None() bool {
	return len(o.Absent) == 0 && len(o.Busy) == 0 && len(o.Behind) == 0 && o.Other == ""
}

// Admit begins the items that are due and have their bots, in the order of their places, and returns what is
// in the way of the others that are due.
//
// An event whose bots are all connected keeps its place: no later one takes a bot that it is waiting for.
// An event with an absent bot keeps nobody waiting, since nobody knows when that bot comes. Neither does one
// that lacks something else than bots, such as memory: its bots would be idle until then.
func Admit(items []Item, now time.Time, room Room) map[int64]Obstacles {
	waiting := map[int64]Obstacles{}
	kept := map[string]int64{} // for which event
	items = slices.SortedFunc(slices.Values(items), func(a, b Item) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Event, b.Event))
	})
	for _, item := range items {
		if !item.Due(now) {
			continue
		}
		needs := room.Needs(item.Event)
		var o Obstacles
		o.Absent, o.Busy = room.Look(item.Event)
		o.Behind = keepers(needs, kept)
		if o.None() {
			if err := room.Begin(item.Event); err != nil {
				o.Other = err.Error()
			}
		}
		if o.None() {
			continue
		}
		waiting[item.Event] = o
		if len(o.Absent) == 0 && o.Other == "" {
			keep(kept, needs, item.Event)
		}
	}
	return waiting
}

// keepers returns the events for which something is kept, each once.
func keepers(needs []string, kept map[string]int64) (events []int64) {
	for _, need := range needs {
		if event, ok := kept[need]; ok && !slices.Contains(events, event) {
			events = append(events, event)
		}
	}
	return events
}

// keep keeps what an event needs, unless that is kept for an earlier one.
func keep(kept map[string]int64, needs []string, event int64) {
	for _, need := range needs {
		if _, taken := kept[need]; !taken {
			kept[need] = event
		}
	}
}

// longestSleep is how long an arena waits at most before it looks at the clock of the machine again, which may
// have been set, or have gone on while the machine slept.
const longestSleep = 30 * time.Second

// Sleep returns how long an arena may wait before it calls Admit again: poll if anything is due, since
// bots come and go at any time, else until the first item is due.
func Sleep(items []Item, now time.Time, poll time.Duration) time.Duration {
	sleep := longestSleep
	for _, item := range items {
		if item.Due(now) {
			return poll
		}
		sleep = min(sleep, max(0, item.Begin.Sub(now)))
	}
	return sleep
}

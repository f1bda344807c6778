package agenda

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Room reports the resources of an arena that the queued events need, and begins events.
type Room interface {
	// Needs returns the names of the bots that an event needs for itself.
	Needs(event int64) []string
	// Look returns the needs of the event that are not connected, and its needs that are busy in another event.
	Look(event int64) (absent, busy []string)
	// Begin begins an event. It returns an error if the event cannot begin now.
	Begin(event int64) error
}

// Obstacles are the reasons why a due event has not begun.
type Obstacles struct {
	Absent []string `json:"absent,omitempty"` // bots that are not connected
	Busy   []string `json:"busy,omitempty"`   // bots that play in another event
	Behind []int64  `json:"behind,omitempty"` // earlier events in the queue, which get its bots first
	Other  string   `json:"other,omitempty"`  // any other reason, such as memory
}

// None reports whether there are no obstacles.
func (o *Obstacles) None() bool {
	return len(o.Absent) == 0 && len(o.Busy) == 0 && len(o.Behind) == 0 && o.Other == ""
}

// Admit begins the due items that have their bots, in the order of their places. It returns the
// obstacles of the other due items.
//
// An event with all its bots connected keeps its place: no later event takes a bot that it waits for. An event
// with an absent bot does not delay others, since the bot may stay away for long. An event that lacks something
// other than bots, such as memory, does not delay others either: its bots would be idle meanwhile.
func Admit(items []Item, now time.Time, room Room) map[int64]Obstacles {
	waiting := map[int64]Obstacles{}
	kept := map[string]int64{} // the event that each need is kept for
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

// keepers returns the events that these needs are kept for, each once.
func keepers(needs []string, kept map[string]int64) (events []int64) {
	for _, need := range needs {
		if event, ok := kept[need]; ok && !slices.Contains(events, event) {
			events = append(events, event)
		}
	}
	return events
}

// keep keeps an event's needs for it, except the needs that are kept for an earlier event.
func keep(kept map[string]int64, needs []string, event int64) {
	for _, need := range needs {
		if _, taken := kept[need]; !taken {
			kept[need] = event
		}
	}
}

// longestSleep is the longest time between two readings of the machine's clock. The clock may have been set, or may
// have moved on while the machine was asleep.
const longestSleep = 30 * time.Second

// Sleep returns the time that an arena may wait before it calls Admit again: poll if an item is due,
// since bots come and go at any time, and otherwise the time until the first item is due, but at most
// 30 seconds.
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

// Appointment describes why an event on the agenda has not begun.
type Appointment struct {
	Begin  time.Time `json:"begin,omitzero"`   // the time of its beginning, in the time zone of the arena
	Until  time.Time `json:"until,omitzero"`   // the end of its wait for its bots
	Every  Every     `json:"every,omitzero"`   // the interval of its repetitions
	Times  int       `json:"times,omitempty"`  // the number of events in its series; 0 means no end
	Nth    int       `json:"nth,omitempty"`    // its number in the series, from 1
	Series int64     `json:"series,omitempty"` // the first event of its series
	Missed string    `json:"missed,omitempty"` // a time that it missed, and why
	Obstacles
}

// NewAppointment returns the appointment of an item with these obstacles. Its times are in the given time zone.
func NewAppointment(i Item, o Obstacles, zone *time.Location) *Appointment {
	a := &Appointment{i.Begin, i.Until(), i.Every, i.Times, i.Nth, i.Series, i.Reason, o}
	for _, at := range []*time.Time{&a.Begin, &a.Until} {
		if !at.IsZero() {
			*at = at.In(zone)
		}
	}
	return a
}

// Text lists the things that the event waits for.
func (a *Appointment) Text() string {
	var parts []string
	for _, part := range []struct {
		what  string
		names []string
	}{{"not connected", a.Absent}, {"playing elsewhere", a.Busy}} {
		if len(part.names) > 0 {
			parts = append(parts, part.what+": "+strings.Join(part.names, ", "))
		}
	}
	for _, event := range a.Behind {
		parts = append(parts, fmt.Sprintf("behind event %d", event))
	}
	if a.Other != "" {
		parts = append(parts, a.Other)
	}
	return strings.Join(parts, "; ")
}

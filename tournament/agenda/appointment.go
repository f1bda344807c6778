package agenda

import (
	"fmt"
	"strings"
	"time"
)

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

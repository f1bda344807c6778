package agenda

import (
	"fmt"
	"strings"
	"time"
)

// Appointment is what an event on the agenda waits for.
type Appointment struct {
	Begin  time.Time `json:"begin,omitzero"`   // when it is to begin, in the time zone of the arena
	Until  time.Time `json:"until,omitzero"`   // until when it may wait for its bots
	Every  Every     `json:"every,omitzero"`   // how often it is repeated
	Times  int       `json:"times,omitempty"`  // how many events its series has; 0 for no end
	Nth    int       `json:"nth,omitempty"`    // which one of them it is, from 1
	Series int64     `json:"series,omitempty"` // the first event of its series
	Missed string    `json:"missed,omitempty"` // which time it has missed, and why
	Obstacles
}

// NewAppointment returns the appointment of an item that has these obstacles, with times in a time zone.
func NewAppointment(i Item, o Obstacles, zone *time.Location) *Appointment {
	a := &Appointment{i.Begin, i.Until(), i.Every, i.Times, i.Nth, i.Series, i.Reason, o}
	for _, at := range []*time.Time{&a.Begin, &a.Until} {
		if !at.IsZero() {
			*at = at.In(zone)
		}
	}
	return a
}

// Text says what the event waits for.
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

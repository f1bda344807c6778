package tournament

import (
	"maps"
	"slices"
)

// Membership is a range of matches that a bot may be paired for. In a ladder, a bot without
// memberships takes part in the whole event; a bot with memberships takes part only during them. In
// another format, a bot that has left, or has joined a Swiss event, has one membership.
type Membership struct {
	Name string `json:"name"`
	From int    `json:"from"` // the first match that the bot may be paired for
	To   int    `json:"to"`   // the last one, less than From if there is none; NotLeft while the bot has not left
}

// NotLeft is the To of a bot that has not left.
const NotLeft = -1

func (m Membership) covers(match int) bool {
	return m.From <= match && (m.To == NotLeft || match <= m.To)
}

// TakesPart reports whether the named bot may be paired for the match with that number.
func TakesPart(all []Membership, name string, match int) bool {
	always := true
	for _, m := range all {
		if m.Name != name {
			continue
		}
		always = false
		if m.covers(match) {
			return true
		}
	}
	return always
}

// Present reports whether the named entry has not left the event.
func (e *Event) Present(name string) bool {
	for _, m := range slices.Backward(e.Memberships) {
		if m.Name == name {
			return m.To == NotLeft
		}
	}
	return true
}

// Left returns the bots that are not Present: they have left the event and have not joined again.
func (e *Event) Left() map[string]bool {
	left := map[string]bool{}
	for _, m := range e.Memberships {
		if m.To == NotLeft {
			delete(left, m.Name)
		} else {
			left[m.Name] = true
		}
	}
	return left
}

// Joined returns the bots that have joined the event while it was played, each with the first match that it may be
// paired for.
func (e *Event) Joined() map[string]int {
	first := map[string]int{}
	for _, m := range e.Memberships {
		if from, known := first[m.Name]; !known || m.From < from {
			first[m.Name] = m.From
		}
	}
	maps.DeleteFunc(first, func(_ string, from int) bool { return from <= 1 })
	return first
}

// Withdrawn returns the bots that have left an event that is not a ladder, each with the number of
// the last match that it plays. Its later matches are walkovers.
func (e *Event) Withdrawn() SetAside {
	last := SetAside{}
	if e.Settings.Plan.Kind == Ladder {
		return last
	}
	for _, m := range e.Memberships {
		if m.To == NotLeft {
			delete(last, m.Name)
		} else {
			last[m.Name] = m.To
		}
	}
	return last
}

func (e *Event) membershipsOf(name string) (all []Membership) {
	for _, m := range e.Memberships {
		if m.Name == name {
			all = append(all, m)
		}
	}
	return all
}

// beginMembership lets a bot that is not present take part from the given match on. It removes the bot's
// earlier memberships without a match, since a bot that comes and goes would add many of them.
func (e *Event) beginMembership(name string, first int) {
	e.Memberships = slices.DeleteFunc(slices.Clone(e.Memberships), func(m Membership) bool {
		return m.Name == name && m.To != NotLeft && m.To < m.From
	})
	e.Memberships = append(e.Memberships, Membership{Name: name, From: first, To: NotLeft})
}

func (e *Event) endMembership(name string, last int) {
	e.Memberships = slices.Clone(e.Memberships)
	for i := range e.Memberships {
		if m := &e.Memberships[i]; m.Name == name && m.To == NotLeft {
			m.To = last
			return
		}
	}
	e.Memberships = append(e.Memberships, Membership{Name: name, From: 1, To: last})
}

// Participants returns the entries that have not left, or that still have matches to play. f is the
// event's format after the decided matches.
func (e *Event) Participants(f Format) []Entry {
	return slices.DeleteFunc(slices.Clone(e.Entries), func(entry Entry) bool {
		return !e.Present(entry.Name) && !f.Due(entry.Name)
	})
}

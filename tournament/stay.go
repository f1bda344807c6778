package tournament

import "slices"

// Stay is a range of matches in which a bot takes part in a ladder. A bot without any stay takes
// part in the whole event, one with stays only during them.
type Stay struct {
	Name string `json:"name"`
	From int    `json:"from"` // the first match that it may be paired for
	To   int    `json:"to"`   // the last one, less than From if there is none; Staying while it has not left
}

// Staying is the To of a bot that has not left.
const Staying = -1

// TakesPart reports whether the named bot may be paired for the match of that number.
func TakesPart(stays []Stay, name string, match int) bool {
	always := true
	for _, s := range stays {
		if s.Name != name {
			continue
		}
		always = false
		if s.From <= match && (s.To == Staying || match <= s.To) {
			return true
		}
	}
	return always
}

// Present reports whether the named entry has not left the event.
func (e *Event) Present(name string) bool {
	stays := e.staysOf(name)
	return len(stays) == 0 || stays[len(stays)-1].To == Staying
}

// staysOf returns the stays of one bot in order.
func (e *Event) staysOf(name string) []Stay {
	return slices.DeleteFunc(slices.Clone(e.Stays), func(s Stay) bool { return s.Name != name })
}

// leave ends the stay of a bot that is present with the given match.
func (e *Event) leave(name string, last int) {
	e.Stays = slices.Clone(e.Stays)
	for i := range e.Stays {
		if s := &e.Stays[i]; s.Name == name && s.To == Staying {
			s.To = last
			return
		}
	}
	e.Stays = append(e.Stays, Stay{Name: name, From: 1, To: last})
}

// Participants returns the entries that have not left or still have matches to play.
func (e *Event) Participants(f Format, done []MatchResult) []Entry {
	playing := map[string]bool{}
	for _, p := range f.Next(done) {
		playing[p.First], playing[p.Second] = true, true
	}
	return slices.DeleteFunc(slices.Clone(e.Entries), func(entry Entry) bool {
		return !e.Present(entry.Name) && !playing[entry.Name]
	})
}

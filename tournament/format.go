package tournament

import (
	"fmt"
	"strconv"
)

// Format says who meets whom. It is a pure function of what is recorded, so an
// event resumes by asking again. It takes nothing back: a match that is listed
// once is listed, with its number and its bots, until it is decided, in
// whichever order matches are decided. So the matches of an event, too, do not
// depend on how many games are played at once.
type Format interface {
	// Next lists the matches that can be played now, in the order in which to
	// begin them, given all that are decided. The event is over when nothing is
	// left to play, unless bots may still join it.
	Next(done []MatchResult) []Pairing
	// Total is how many matches the event comes to.
	Total(done []MatchResult) Total
	// Standings are the bots' places by what is decided.
	Standings(done []MatchResult) Standings
}

// Total is how many matches an event comes to, as far as is known.
type Total struct {
	Matches int // 0 if there is no limit
	Bound   Bound
	// Joinable reports whether bots may join and leave the event while it is played.
	Joinable bool
}

// Open reports whether the event is not over when nothing is left to play: it has
// no limit, and bots may still join it.
func (t Total) Open() bool { return t.Joinable && t.Matches == 0 }

// Bound says what a total is.
type Bound string

// The bounds.
const (
	Exactly Bound = ""
	About   Bound = "about" // it may become more, or fewer
	AtMost  Bound = "at most"
)

// Of writes how much is done of a total: "12 of 30", "12 of at most 30", or "12"
// where there is no end and the total is 0.
func (b Bound) Of(done, total int) string {
	switch {
	case total == 0:
		return strconv.Itoa(done)
	case b == Exactly:
		return fmt.Sprintf("%d of %d", done, total)
	}
	return fmt.Sprintf("%d of %s %d", done, b, total)
}

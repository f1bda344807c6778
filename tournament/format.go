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
	Matches int // 0 where there is no end
	Bound   Bound
}

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

// meeting is the nth match of two bots, from 1: a is First in those of odd
// number, b in the others. So two matches of a pair, 2k-1 and 2k, are the same
// but for the order of the bots, and can share an opening.
func meeting(match, round, nth int, a, b string) Pairing {
	if nth%2 == 0 {
		a, b = b, a
	}
	return Pairing{Match: match, Round: round, Nth: nth, First: a, Second: b}
}

// numbered are matches by their numbers.
type numbered map[int]*MatchResult

func byNumber(done []MatchResult) numbered {
	all := make(numbered, len(done))
	for i := range done {
		all[done[i].Match] = &done[i]
	}
	return all
}

// undecided are those of the pairings that are not decided.
func (n numbered) undecided(pairings []Pairing) []Pairing {
	var left []Pairing
	for _, p := range pairings {
		if n[p.Match] == nil {
			left = append(left, p)
		}
	}
	return left
}

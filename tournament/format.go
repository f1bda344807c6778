package tournament

import (
	"fmt"
	"strconv"

	"versus2048/tournament/rating"
)

// Format decides which bots meet. It is a pure function of the recorded results, so an
// event resumes by asking again. A match that it has listed stays listed, with its
// number and its bots, until it is decided, whatever the order in which matches are
// decided. So the matches of an event do not depend on how many games are played at
// once.
type Format interface {
	// Next lists the matches that can be played now, in the order in which to start
	// them, given all decided ones. The event is over when nothing is left to play,
	// unless bots may still join it.
	Next(done []MatchResult) []Pairing
	// Total returns how many matches the event has.
	Total(done []MatchResult) Total
	// Standings ranks the bots by the decided matches. It is the event's only ranking:
	// see docs/adr/0013-one-ranking.md.
	Standings(done []MatchResult) Standings
}

// Total is how many matches an event has, as far as is known.
type Total struct {
	Matches int // 0 for no limit
	Bound   Bound
	// Joinable reports whether bots may join and leave the event while it is played.
	Joinable bool
}

// Open reports whether the event is not over when nothing is left to play: it has
// no limit, and bots may still join it.
func (t Total) Open() bool { return t.Joinable && t.Matches == 0 }

// Bound says how exact a total is.
type Bound string

// The bounds.
const (
	Exactly Bound = ""
	About   Bound = "about" // there may be more matches, or fewer
	AtMost  Bound = "at most"
)

// Of describes progress towards a total: "12 of 30", "12 of at most 30", or "12" if
// the total is 0 because there is no limit.
func (b Bound) Of(done, total int) string {
	switch {
	case total == 0:
		return strconv.Itoa(done)
	case b == Exactly:
		return fmt.Sprintf("%d of %d", done, total)
	}
	return fmt.Sprintf("%d of %s %d", done, b, total)
}

// Standings are an event's places by the rules of its format, best first.
type Standings struct {
	Format  string   `json:"format"`  // one of format.Names
	Columns []string `json:"columns"` // titles of the places' values
	Places  []Place  `json:"places"`
	// Ties lists the ties of a knockout or a double elimination whose bots are known,
	// round by round.
	Ties []Tie `json:"ties,omitempty"`
	// Test is the state of an sprt's test.
	Test *TestState `json:"test,omitempty"`
}

// Place is one bot's row of the standings.
type Place struct {
	Place  int       `json:"place"` // from 1; equal bots share a place, in the order of entry
	Name   string    `json:"name"`
	Played int       `json:"played"` // matches
	Values []float64 `json:"values"` // one for each of the standings' columns
}

// Tie is a tie of a knockout or a double elimination.
type Tie struct {
	Round  int       `json:"round"`
	Title  string    `json:"title"`            // of its round, such as "final"
	First  string    `json:"first"`            // the better seed
	Second string    `json:"second,omitempty"` // "" if First has a bye
	Points []float64 `json:"points"`           // of First and of Second
	Margin int       `json:"margin"`           // of First
	Winner string    `json:"winner,omitempty"` // "" while it is open
}

// TestState is the state of an sprt's test.
type TestState struct {
	First   string      `json:"first"` // the bot whose strength is tested
	Test    rating.SPRT `json:"test"`
	Trials  int         `json:"trials"` // matches, or pairs of matches, that the test has counted
	Counts  []int64     `json:"counts"` // of trials: loss, draw, win; or by points 0, 1/2, 1, 3/2, 2
	LLR     float64     `json:"llr"`
	Lower   float64     `json:"lower"` // the LLR at which H0 is accepted
	Upper   float64     `json:"upper"` // the LLR at which H1 is accepted
	Outcome string      `json:"outcome"`
}

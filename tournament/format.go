package tournament

import (
	"fmt"
	"slices"
	"strconv"

	"versus2048/tournament/rating"
)

// Format decides which bots meet. It is told every decided match once, gives out the
// matches to play one at a time, and keeps what it needs to know of the decided ones: an
// event resumes with a new Format that is told the recorded matches in recorded order.
//
// The number and the bots of a match follow from the decided matches alone, whatever
// their order, and stay as they are once the match can be played. So the matches of an
// event do not depend on how many games are played at once, or on interruptions. See
// docs/adr/0015-incremental-formats.md.
type Format interface {
	// Add tells the format a decided match, whether it has given it out or not.
	Add(m MatchResult)
	// Next gives out the first match, by number, that is free to start. It gives out no
	// match twice. ok is false if there is none now: the event is over when no bot is
	// busy and it is still false, unless bots may join.
	Next(free Free) (p Pairing, ok bool)
	// Total returns how many matches the event has.
	Total() Total
	// Standings ranks the bots by the decided matches. It is the event's only ranking:
	// see docs/adr/0013-one-ranking.md.
	Standings() Standings
	// Encounters returns what every two bots have made in the matches that count, in no
	// particular order.
	Encounters() []Encounter
	// SetAside returns the bots that the event's strikes have set aside, and those that have left it. A match that was
	// given out is not to be started while SetAside().Of(p) has one of its bots.
	SetAside() SetAside
	// Due reports whether the named bot has matches to play that are known.
	Due(name string) bool
	// Settled returns the highest number of a match of the named bot whose result is final, be it a walkover.
	Settled(name string) int
	// SetLineup takes over the event's entries and memberships. They may differ from the present ones only in matches that
	// have not begun and are not settled, and in a [Joinable] format only in matches after the listed ones. Call it also
	// once all recorded matches have been told.
	SetLineup(e Event)
}

// Joinable is a Format whose bots join and leave while the event is played.
type Joinable interface {
	Format
	// Listed returns the highest number of a match whose bots are fixed.
	Listed() int
	// Void reports whether a match that was given out and has not begun is not played: a bot of it
	// has left an open ladder.
	Void(p Pairing) bool
}

// Free says what can start now.
type Free interface {
	// Bot reports whether the bot can start a game. A match cannot start unless one of its
	// bots can.
	Bot(name string) bool
	// Match reports whether a game of the match can start.
	Match(p Pairing) bool
}

// Everyone is Free for all bots and matches.
type Everyone struct{}

// Bot returns true.
func (Everyone) Bot(string) bool { return true }

// Match returns true.
func (Everyone) Match(Pairing) bool { return true }

// Encounter is what two bots have made against each other.
type Encounter struct {
	First, Second string // the two in alphabetical order
	Tally         Tally  // of First
	Margin        int    // the sum of First's margins
	// Games and Scores sum up the games that count for the mean score (see
	// [Summary.Scored]) in which First, and in which Second defends.
	Games, Scores [2]int
}

// Add counts a match of the two bots.
func (e *Encounter) Add(m MatchResult) {
	e.Tally.Add(m, e.First)
	e.Margin += m.Margin(e.First)
	for i, name := range []string{e.First, e.Second} {
		if game := m.Defence(name); game.Scored() {
			e.Games[i]++
			e.Scores[i] += game.Score
		}
	}
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
	// Newcomer is the bot that a placement places.
	Newcomer string `json:"newcomer,omitempty"`
}

// Begun reports whether a match has a result. Before, the order of the places means nothing.
func (s *Standings) Begun() bool {
	return slices.ContainsFunc(s.Places, func(p Place) bool { return p.Played > 0 })
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
	First  string      `json:"first"` // the bot whose strength is tested
	Test   rating.SPRT `json:"test"`
	Trials int         `json:"trials"` // matches, or pairs of matches, that the test has counted
	// Repeated trials were played and are not counted, because they repeat earlier ones.
	Repeated int     `json:"repeated,omitempty"`
	Counts   []int64 `json:"counts"` // of trials: loss, draw, win; or by points 0, 1/2, 1, 3/2, 2
	LLR      float64 `json:"llr"`
	Lower    float64 `json:"lower"` // the LLR at which H0 is accepted
	Upper    float64 `json:"upper"` // the LLR at which H1 is accepted
	Outcome  string  `json:"outcome"`
}

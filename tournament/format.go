package tournament

import (
	"fmt"
	"slices"
	"strconv"

	"versus2048/tournament/rating"
)

// Format decides which bots meet. It receives every decided match once, and gives out the matches
// to play one at a time. It keeps the data that it needs about decided matches. An interrupted
// event resumes with a new Format, which receives the recorded matches in recorded order.
//
// The number and the bots of a match depend only on the decided matches, not on their order, and do
// not change once the match can be played. Thus the matches of an event do not depend on the number
// of games at once or on interruptions. See docs/adr/0015-incremental-formats.md.
type Format interface {
	// Add counts a decided match, even one that this Format has not given out.
	Add(m MatchResult)
	// Next gives out the first match, by number, that is free to start. It gives out each match
	// only once. ok is false if no match can start now. If ok is false while no bot is busy, the
	// event is over, unless bots may join.
	Next(free Free) (p Pairing, ok bool)
	// Total returns the number of matches of the event.
	Total() Total
	// Standings ranks the bots by the decided matches. It is the event's only ranking:
	// see docs/adr/0013-one-ranking.md.
	Standings() Standings
	// Encounters returns the results of every two bots in the matches that count, in no particular order.
	Encounters() []Encounter
	// SetAside returns the bots that the event's strikes have set aside, and the bots that have left it. A
	// match that was given out must not be started while SetAside().Of(p) has one of its bots.
	SetAside() SetAside
	// Due reports whether the named bot still has to play any of the matches that are known so far.
	Due(name string) bool
	// Settled returns the number of the last match of the named bot that has a final result. That
	// result may be a walkover.
	Settled(name string) int
	// SetLineup sets the event's entries and memberships. A change of them may affect only matches that have not
	// begun and are not settled, and in a [Joinable] format only matches after the listed ones. SetLineup must
	// also be called after all recorded matches have been added.
	SetLineup(e Event)
}

// Joinable is a Format for events that bots can join while they are played, as long as [Total] says so.
type Joinable interface {
	Format
	// Listed returns the highest number of a match with fixed bots.
	Listed() int
	// Void reports whether a match that was given out and has not begun will not be played, because
	// one of its bots has left an open ladder.
	Void(p Pairing) bool
}

// Free decides which bots and matches can start now.
type Free interface {
	// Bot reports whether the bot can start a game. A match can start only if one of its bots can.
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

// Encounter sums up the results of two bots against each other.
type Encounter struct {
	First, Second string // in alphabetical order, unless it is reversed
	Tally         Tally  // of First
	Margin        int    // the sum of First's margins
	// Games and Scores are the numbers of games that count for the mean score (see [Summary.Scored]), and the sums of
	// their scores: first of the games with First as the defender, then of the games with Second as the defender.
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

// Reversed returns the same results with Second in place of First.
func (e Encounter) Reversed() Encounter {
	games, scores := [2]int{e.Games[1], e.Games[0]}, [2]int{e.Scores[1], e.Scores[0]}
	return Encounter{e.Second, e.First, e.Tally.Reversed(), -e.Margin, games, scores}
}

// Total is the number of matches of an event, as far as it is known.
type Total struct {
	Matches int // 0 means no limit
	Bound   Bound
	// Joinable reports whether bots may join the event now.
	Joinable bool
}

// Open reports whether the event continues even when nothing is left to play: it has no limit, and
// bots may still join it.
func (t Total) Open() bool { return t.Joinable && t.Matches == 0 }

// Bound says how exact a total is.
type Bound string

// The bounds.
const (
	Exactly Bound = ""
	About   Bound = "about" // there may be more or fewer matches
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

// Standings are the places of an event by the rules of its format, best first.
type Standings struct {
	// Format is "round-robin", "gauntlet", "swiss", "knockout", "double-elimination", "ladder", "placement" or "sprt".
	Format  string   `json:"format"`
	Columns []string `json:"columns"` // titles of the places' values
	Places  []Place  `json:"places"`
	// Ties lists the ties with known bots, round by round. In a double elimination the winners' bracket comes first, then
	// the losers' bracket, then the finals.
	Ties []Tie `json:"ties,omitempty"`
	// Test is the state of an sprt's test.
	Test *TestState `json:"test,omitempty"`
	// Newcomer is the bot that a placement places.
	Newcomer string `json:"newcomer,omitempty"`
}

// Begun reports whether a match has a result. Without results the order of the places means nothing.
func (s *Standings) Begun() bool {
	return slices.ContainsFunc(s.Places, func(p Place) bool { return p.Played > 0 })
}

// Place is one bot's row of the standings.
type Place struct {
	Place  int       `json:"place"` // from 1; equal bots have the same place, in the order of entry
	Name   string    `json:"name"`
	Played int       `json:"played"` // matches
	Values []float64 `json:"values"` // one for each of the standings' columns
}

// Tie is a tie of a knockout or a double elimination.
type Tie struct {
	Round  int       `json:"round"`
	Title  string    `json:"title"`            // of the round, for example "final"
	First  string    `json:"first"`            // the better seed
	Second string    `json:"second,omitempty"` // "" if First has a bye
	Points []float64 `json:"points"`           // of First, then of Second
	Margin int       `json:"margin"`           // of First
	Winner string    `json:"winner,omitempty"` // "" while the tie is open
}

// LosersBracket is the beginning of the titles of the rounds in a losers' bracket.
const LosersBracket = "losers' "

// TestState is the state of an sprt's test.
type TestState struct {
	First  string      `json:"first"` // the tested bot
	Test   rating.SPRT `json:"test"`
	Trials int         `json:"trials"` // matches, or pairs of matches, that the test has counted
	// Repeated trials were played, but are not counted because they repeat earlier ones.
	Repeated int     `json:"repeated,omitempty"`
	Counts   []int64 `json:"counts"` // of trials: loss, draw, win; or by points 0, 1/2, 1, 3/2, 2
	LLR      float64 `json:"llr"`
	Lower    float64 `json:"lower"` // H0 is accepted at this LLR or below
	Upper    float64 `json:"upper"` // H1 is accepted at this LLR or above
	Outcome  string  `json:"outcome"`
}

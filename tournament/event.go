package tournament

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament/rating"
)

// Event describes a tournament: its participants, rules and conditions. The event and the games
// recorded so far determine all further games.
//
// Config files, the command line, the HTTP interface, the database and exports all read and write
// this struct. The toml tags are the keys of a config file. A field tagged "-" is not in the file.
// The keys of a field tagged ",inline" are on the same level as the event's own keys.
type Event struct {
	ID      int64     `json:"-" toml:"-"`       // its number in the journal; 0 if it has none yet, below 0 if Unrecorded
	Name    string    `json:"name" toml:"name"` // if empty, an arena makes it from the names of the bots
	Created time.Time `json:"created" toml:"-"`

	Rules rules.Ruleset `json:"rules" toml:"rules"`
	Size  rules.Size    `json:"size" toml:"size"` // columns x rows, "2x2" to "4x4"
	Seed  uint64        `json:"seed" toml:"seed"` // for all random choices in its games, below 2^53

	// Matches is the number of matches of each pairing, two games each. In a knockout it is the
	// largest number, not counting tie-breaks. In a ladder it is the number of matches of each bot.
	// In an sprt or a placement it is the largest number of matches. In a ladder, an sprt or a
	// placement 0 means no limit. Matches is at most MaxMatches.
	Matches int `json:"matches" toml:"matches"`

	// Bots are participants as a user names them: NAME for a connected bot or a program of the arena's
	// host, SPEC, or NAME=SPEC. An arena turns them into Entries, so a recorded event has none.
	Bots []string `json:"bots,omitempty" toml:"bots"`
	// Entries are the participants besides Bots. Each has a Name, a Spec or both.
	Entries []Entry `json:"entries,omitempty" toml:"bot"`

	Clock       Clock         `json:"clock" toml:",inline"`
	Grace       time.Duration `json:"grace_ns" toml:"-"`              // the longest time that a bot may be disconnected
	Concurrency int           `json:"concurrency" toml:"concurrency"` // the number of games that are played at once, from 1
	InProcess   bool          `json:"in_process" toml:"in_process"`   // bots with a spec play inside the arena's process
	Search      bool          `json:"search" toml:"search"`           // record the bots' reports on their searches
	Settings    Settings      `json:"settings" toml:",inline"`
	Memberships []Membership  `json:"stays,omitempty" toml:"-"` // of bots that joined or left during the event
}

// A store returns these errors for requests that it refuses. Other errors mean that the store failed.
var (
	ErrUnknownEvent = errors.New("there is no such event")               // no event is recorded under a number
	ErrNotVoidable  = errors.New("the match cannot be played once more") // a match cannot be voided
)

// Entry is one participant of an event.
type Entry struct {
	Name string `json:"name" toml:"name"`
	Spec string `json:"spec" toml:"spec"` // the spec of the bot that the arena starts; "" if the bot connects by itself
}

// String returns the entry as a user names it: NAME=SPEC, or only the part that is set.
func (e Entry) String() string {
	if e.Name == "" || e.Spec == "" {
		return e.Name + e.Spec
	}
	return e.Name + "=" + e.Spec
}

// Identity is a bot's description of itself.
type Identity struct {
	Name    string `json:"name"` // the name in the event
	Version string `json:"version"`
	Author  string `json:"author"`
	Spec    string `json:"spec"` // its kind with every option; "" if unknown
}

// Settings are an event's conditions beyond its bots and clocks. JSON leaves out zero values: a
// plain round-robin has the zero Settings.
type Settings struct {
	Plan         Plan           `json:"plan,omitzero" toml:"plan"`
	Openings     Openings       `json:"openings,omitzero" toml:",inline"`
	Budget       players.Effort `json:"budget,omitzero" toml:"budget"`
	Lenience     Lenience       `json:"lenience,omitzero" toml:"lenience"`
	Adjudication Adjudication   `json:"adjudication,omitzero" toml:"adjudication"`
	Strikes      Strikes        `json:"strikes,omitzero" toml:"strikes"`
	// Absent is the longest time that a bot may be away at a time; the event's Grace counts if it is
	// longer. After this time the bot loses the games that it has not begun. If Absent is 0, it loses
	// them when no other game is left to play. In an open ladder the bot leaves the event instead.
	Absent Millis `json:"absent_ms,omitzero" toml:"absent"`
	// LiveSearch shows the search reports of games in progress to all viewers. Without it only operators see
	// the reports before a game is over, since they reveal each bot's plans to the opponent's author.
	LiveSearch bool `json:"live_search,omitzero" toml:"live_search"`
	// Unrecorded plays the event without a record, as arena check-bot asks for: nothing of it is kept
	// after its end. An arena gives such an event a negative number. The event is in no list, on no page
	// and in no rating, and cannot be in the queue.
	Unrecorded bool `json:"unrecorded,omitzero" toml:"-"`
	// Programs are the names of the entries that were programs of the arena's host when the event
	// was recorded. Their commands are not recorded.
	Programs []string `json:"programs,omitzero" toml:"-"`
}

// IsProgram reports whether the entry of that name was a program of the arena's host.
func (s *Settings) IsProgram(name string) bool { return slices.Contains(s.Programs, name) }

// Plan selects an event's format and its parameters. Parameters of other formats must be zero.
type Plan struct {
	Kind  string `json:"kind,omitzero" toml:"kind"`   // one of Formats; "" means a round-robin
	Seeds int    `json:"seeds,omitzero" toml:"seeds"` // gauntlet: the number of first entries that meet all others; 0 means 1
	// SeedsAttack lets the seeds of a gauntlet attack in the first game of every match, not only of every
	// second match. In the second game, often a long one, the seed then defends: with
	// Adjudication.EarlyDecision the game ends once the match is decided.
	SeedsAttack bool `json:"seeds_attack,omitzero" toml:"seeds_attack"`
	Rounds      int  `json:"rounds,omitzero" toml:"rounds"` // swiss: the number of rounds; 0 means one more than are needed to find a winner
	// SPRT holds the hypotheses of an sprt. By default Alpha and Beta are 0.05 and the model is normalized.
	SPRT rating.SPRT `json:"sprt,omitzero" toml:"sprt"`
	// Within ends a placement once half the width of the rating's interval, in Elo, is at most Within. 0
	// means 50.
	Within float64 `json:"within,omitzero" toml:"within"`
	// Known are the ratings of all entries of a placement but the first, in the order of the entries.
	// Without Known all these bots count as equally strong.
	Known []rating.Known `json:"known,omitzero" toml:"-"`
	// Ahead is the number of matches of a ladder, an sprt or a placement that may be played at once.
	// So match n is paired by the results of the matches up to n-Ahead. 0 means 8, or 2 in a placement.
	Ahead int `json:"ahead,omitzero" toml:"ahead"`
	// Open selects the connected bots that join a ladder by themselves: "tokens" for bots with a token,
	// "all" for all bots. Most is the number of bots that such a ladder may ever have; 0 means 200.
	Open Entrance `json:"open,omitzero" toml:"open"`
	Most int      `json:"most,omitzero" toml:"most"`
}

// Entry returns the event's bot of that name, even if it has left. ok is false if there is none.
func (e *Event) Entry(name string) (entry Entry, ok bool) {
	i := slices.IndexFunc(e.Entries, func(entry Entry) bool { return entry.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return e.Entries[i], true
}

// Validate returns an error if the event cannot be played. Of the plan it checks only the bounds of the settings and
// the rules of open ladders; format.Validate checks the rest, and the format's number of matches.
func (e *Event) Validate() error {
	_, openings := e.Starts()
	_, size := rules.ParseSize(e.Size.String())
	if err := cmp.Or(e.validateEntries(), size, e.Settings.validate(), openings); err != nil {
		return fmt.Errorf("event %.100q: %w", e.Name, err)
	}
	return cmp.Or(e.checkBounds(), e.validateTogether())
}

func (e *Event) validateEntries() error {
	if len(e.Entries) < 2 && e.Settings.Plan.Open == Closed {
		return fmt.Errorf("too few bots (%d): want at least 2", len(e.Entries))
	}
	seen := make(map[string]bool, len(e.Entries))
	for _, entry := range e.Entries {
		switch name := entry.Name; {
		case name == "":
			return fmt.Errorf("a bot has no name")
		case seen[name]:
			return fmt.Errorf("two bots named %q: give them different names, such as a=%s and b=%s", name, name, name)
		case name == ChanceName && e.Rules.Chance():
			return fmt.Errorf("under %v rules the name %q is reserved for chance", e.Rules, ChanceName)
		}
		seen[entry.Name] = true
	}
	return nil
}

func (e *Event) validateTogether() error {
	switch {
	case e.Settings.LiveSearch && !e.Search:
		return fmt.Errorf("search reports cannot be shown live if they are not recorded: set search, too")
	case e.Clock.Increment > 0 && e.Clock.Base == 0:
		return fmt.Errorf("an increment of %v without a total time: set the total too", e.Clock.Increment)
	}
	return nil
}

// validate checks all settings; of the plan it checks only Open and Most.
func (s *Settings) validate() error {
	return cmp.Or(s.Budget.Validate(), s.Lenience.validate(), s.Adjudication.validate(), s.Strikes.validate(), s.validateEntrance(), s.validateAbsent())
}

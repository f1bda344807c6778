package tournament

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament/rating"
)

// Event describes a tournament: who plays, under which rules and conditions. Together with the
// games recorded so far it determines everything that is still to be played.
//
// This one struct is what a config file, the command line, the HTTP interface, the database and an
// export read and write. The toml tags are the keys of a config file: "-" is not in it, and the
// keys of a field tagged ",inline" stand beside the event's own keys.
type Event struct {
	ID      int64     `json:"-" toml:"-"` // its number in the journal, 0 before it is recorded
	Name    string    `json:"name" toml:"name"`
	Created time.Time `json:"created" toml:"-"`

	Rules rules.Ruleset `json:"rules" toml:"rules"`
	Size  rules.Size    `json:"size" toml:"size"`
	Seed  uint64        `json:"seed" toml:"seed"` // of all random choices in its games, below 2^53

	// Matches is the number of matches of each pairing, two games each. In a knockout it is the
	// maximum, without tie-breaks. In a ladder it is the number of matches of each bot, and in an sprt or
	// a placement the maximum; in these three, 0 means no limit. It is at most MaxMatches.
	Matches int `json:"matches" toml:"matches"`

	// Bots are participants as a user asks for them: the name of a connected bot, SPEC or NAME=SPEC.
	// An arena turns them into Entries, so a recorded event has none.
	Bots    []string `json:"bots,omitempty" toml:"bots"`
	Entries []Entry  `json:"entries,omitempty" toml:"bot"`

	Clock       Clock         `json:"clock" toml:",inline"`
	Grace       time.Duration `json:"grace_ns" toml:"-"` // how long a bot may be disconnected
	Concurrency int           `json:"concurrency" toml:"concurrency"`
	InProcess   bool          `json:"in_process" toml:"in_process"` // bots with a spec play inside the arena's process
	Search      bool          `json:"search" toml:"search"`         // record the bots' reports on their searches
	Settings    Settings      `json:"settings" toml:",inline"`
	Memberships []Membership  `json:"stays,omitempty" toml:"-"` // of bots that joined or left while it ran
}

// Entry is one participant of an event.
type Entry struct {
	Name string `json:"name" toml:"name"`
	Spec string `json:"spec" toml:"spec"` // the bot that the arena starts for it; "" if it connects by itself
}

// String returns the entry as a user asks for it: NAME=SPEC, or only the part that is set.
func (e Entry) String() string {
	if e.Name == "" || e.Spec == "" {
		return e.Name + e.Spec
	}
	return e.Name + "=" + e.Spec
}

// Identity is how a bot describes itself.
type Identity struct {
	Name    string `json:"name"` // the name it plays under
	Version string `json:"version"`
	Author  string `json:"author"`
	Spec    string `json:"spec"` // its kind with every option, "" if unknown
}

// Settings are an event's conditions beyond its bots and clocks. JSON leaves out what is not set:
// a plain round-robin has the zero Settings.
type Settings struct {
	Plan         Plan           `json:"plan,omitzero" toml:"plan"`
	Openings     Openings       `json:"openings,omitzero" toml:",inline"`
	Budget       players.Effort `json:"budget,omitzero" toml:"budget"`
	Lenience     Lenience       `json:"lenience,omitzero" toml:"lenience"`
	Adjudication Adjudication   `json:"adjudication,omitzero" toml:"adjudication"`
	Strikes      Strikes        `json:"strikes,omitzero" toml:"strikes"`
	// Absent is how long a bot may be away in one go, but no less than the event's Grace, before it loses the games that it has
	// not begun. With 0 it loses them when no other game is left to play. In an open ladder it leaves instead.
	Absent Millis `json:"absent_ms,omitzero" toml:"absent"`
	// LiveSearch shows the search reports of games in progress to everybody who may look. Without it
	// only operators see them before a game is over: they tell each bot's author what the other thinks.
	LiveSearch bool `json:"live_search,omitzero" toml:"live_search"`
	// Unrecorded plays the event without a record: nothing of it is kept when it is over. An arena gives it a number below 0.
	Unrecorded bool `json:"unrecorded,omitzero" toml:"-"`
	// Programs are the names of the entries that were programs of the arena's host when the event was recorded. Their
	// commands are not recorded.
	Programs []string `json:"programs,omitzero" toml:"-"`
}

// IsProgram reports whether the entry of that name was a program of the arena's host.
func (s *Settings) IsProgram(name string) bool { return slices.Contains(s.Programs, name) }

// Plan selects an event's format and its parameters. A parameter that the format does not have must
// be zero.
type Plan struct {
	Kind  string `json:"kind,omitzero" toml:"kind"`   // one of format.Names, "" for a round-robin
	Seeds int    `json:"seeds,omitzero" toml:"seeds"` // gauntlet: how many of the first entries meet all others, 0 for 1
	// SeedsAttack lets the seeds of a gauntlet attack in the first game of every match, where otherwise every other
	// match begins so. With Adjudication.EarlyDecision the long games of strong seeds end once they are decided.
	SeedsAttack bool `json:"seeds_attack,omitzero" toml:"seeds_attack"`
	Rounds      int  `json:"rounds,omitzero" toml:"rounds"` // swiss: 0 for as many as it takes to find a winner, plus one
	// SPRT holds the hypotheses of an sprt. By default Alpha and Beta are 0.05 and the model is
	// normalized.
	SPRT rating.SPRT `json:"sprt,omitzero" toml:"sprt"`
	// Within is half the width of an interval, in Elo, at which a placement is over; 0 for 50.
	Within float64 `json:"within,omitzero" toml:"within"`
	// Known are the ratings of a placement's entries after the first one, in their order. Without them every bot
	// counts as equally strong.
	Known []rating.Known `json:"known,omitzero" toml:"-"`
	// Ahead is how many matches of a ladder, an sprt or a placement may begin before one is decided: the next
	// pairing depends on all matches except the last Ahead ones. 0 means 8, in a placement 2.
	Ahead int `json:"ahead,omitzero" toml:"ahead"`
	// Open says which connected bots join a ladder by themselves: see [Entrance]. Most is how many bots such
	// a ladder may ever have, 0 for DefaultMost.
	Open Entrance `json:"open,omitzero" toml:"open"`
	Most int      `json:"most,omitzero" toml:"most"`
}

// Entry returns the event's bot of that name, also if it has left. ok is false if there is none.
func (e *Event) Entry(name string) (entry Entry, ok bool) {
	i := slices.IndexFunc(e.Entries, func(entry Entry) bool { return entry.Name == name })
	if i < 0 {
		return Entry{}, false
	}
	return e.Entries[i], true
}

// Validate returns an error if the event cannot be played. It checks neither the plan nor whether
// the format needs a number of matches: format.Validate does both.
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

// validateTogether checks settings that need others.
func (e *Event) validateTogether() error {
	switch {
	case e.Settings.LiveSearch && !e.Search:
		return fmt.Errorf("search reports cannot be shown live if they are not recorded: set search, too")
	case e.Clock.Increment > 0 && e.Clock.Base == 0:
		return fmt.Errorf("an increment of %v without a total time: set the total too", e.Clock.Increment)
	}
	return nil
}

// validate checks all settings but the plan.
func (s *Settings) validate() error {
	return cmp.Or(s.Budget.Validate(), s.Lenience.validate(), s.Adjudication.validate(), s.Strikes.validate(), s.validateEntrance(), s.validateAbsent())
}

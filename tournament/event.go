package tournament

import (
	"time"

	"versus2048/rules"
)

// Event is a tournament as it was set up. Together with the games recorded for
// it, it decides all that is still to be played.
type Event struct {
	ID      int64 // the journal's number for it, 0 before it has one
	Name    string
	Created time.Time

	Rules rules.Ruleset
	Size  rules.Size
	Seed  uint64 // all seeds of its games come from it, below 2^53

	Matches     int // matches that each pair plays, two games each
	Entries     []Entry
	Clock       Clock
	Grace       time.Duration // how long a bot may be disconnected
	Concurrency int           // games at once
	InProcess   bool          // bots with a spec play inside the arena's process
}

// Entry is one participant of an event.
type Entry struct {
	Name string
	Spec string // the bot that the arena starts for it; "" if it connects by itself
}

// Identity is what a bot says of itself.
type Identity struct {
	Name    string // the name it plays under
	Version string
	Author  string
	Spec    string // its kind with every option, "" if it does not say
}

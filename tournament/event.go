package tournament

import (
	"fmt"
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

	// Matches are those of each pairing of the format, two games each: in a
	// knockout at most so many unless they leave it level; in a ladder of each bot,
	// in an sprt of the test at most, and there 0 sets no limit.
	Matches     int
	Entries     []Entry
	Clock       Clock
	Grace       time.Duration // how long a bot may be disconnected
	Concurrency int           // games at once
	InProcess   bool          // bots with a spec play inside the arena's process
	Search      bool          // the bots' reports on their searches are recorded
	Settings    Settings
	Stays       []Stay // of bots that joined or left a ladder while it ran
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

// Validate says what keeps the event from being played.
func (e *Event) Validate() error {
	if len(e.Entries) < 2 {
		return fmt.Errorf("event %q has %d bots: want at least 2", e.Name, len(e.Entries))
	}
	seen := make(map[string]bool, len(e.Entries))
	for _, entry := range e.Entries {
		switch {
		case entry.Name == "":
			return fmt.Errorf("event %q: a bot has no name", e.Name)
		case seen[entry.Name]:
			return fmt.Errorf("event %q has two bots named %q: name them apart, such as a=%s and b=%s", e.Name, entry.Name, entry.Name, entry.Name)
		case entry.Name == ChanceName && e.Rules.Chance():
			return fmt.Errorf("event %q: under %v rules the name %q belongs to chance itself", e.Name, e.Rules, ChanceName)
		}
		seen[entry.Name] = true
	}
	if _, err := rules.ParseSize(e.Size.String()); err != nil {
		return fmt.Errorf("event %q: %w", e.Name, err)
	}
	if err := e.Settings.validate(); err != nil {
		return fmt.Errorf("event %q: %w", e.Name, err)
	}
	if _, err := e.Starts(); err != nil {
		return fmt.Errorf("event %q: %w", e.Name, err)
	}
	return e.validateNumbers()
}

func (e *Event) validateNumbers() error {
	switch {
	case e.Matches < 0:
		return fmt.Errorf("%d matches a pairing: want at least 0", e.Matches)
	case e.Concurrency < 1:
		return fmt.Errorf("%d games at once: want at least 1", e.Concurrency)
	case e.Seed >= 1<<seedBits:
		return fmt.Errorf("seed %d: want a number below 2^%d", e.Seed, seedBits)
	case e.Clock.PerMove < 0 || e.Clock.Base < 0 || e.Clock.Increment < 0 || e.Grace < 0:
		return fmt.Errorf("a time is negative: want 0 (no limit) or more")
	case e.Clock.Increment > 0 && e.Clock.Base == 0:
		return fmt.Errorf("an increment of %v without a total clock: set the total too", e.Clock.Increment)
	}
	return nil
}

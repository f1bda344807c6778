package arena

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Millis is a duration, a whole number of milliseconds in JSON.
type Millis = tournament.Millis

// Resolve turns an event as a user describes it into one that can be recorded and played: its Bots
// become Entries, followed by the Entries that it already has. An entry that has only a name or
// only a spec is treated like one of Bots. connected reports whether a bot of that name is
// connected to the arena. grace is how long a bot may be disconnected during the event. Resolve
// returns an error if the event cannot be played.
func Resolve(e tournament.Event, connected func(name string) bool, grace time.Duration) (tournament.Event, error) {
	e.Created, e.Grace, e.Memberships = time.Now().UTC(), grace, nil
	if err := checkMillis(e.Clock); err != nil {
		return e, err
	}
	var entries []tournament.Entry
	for _, bot := range e.Bots {
		entry, err := newEntry(bot, e, connected)
		if err != nil {
			return e, err
		}
		entries = append(entries, entry)
	}
	for _, asked := range e.Entries {
		entry, err := resolveEntry(asked, e, connected)
		if err != nil {
			return e, err
		}
		entries = append(entries, entry)
	}
	if e.Name == "" {
		e.Name = describe(e)
	}
	e.Bots, e.Entries = nil, entries
	return e, format.Validate(e)
}

// describe returns a name for an event: its bots as the user gave them, separated by commas.
func describe(e tournament.Event) string {
	names := slices.Clone(e.Bots)
	for _, entry := range e.Entries {
		names = append(names, entry.String())
	}
	return strings.Join(names, ", ")
}

// checkMillis returns an error for times that the protocol cannot express: it has whole
// milliseconds.
func checkMillis(c tournament.Clock) error {
	for _, t := range []time.Duration{c.PerMove, c.Base, c.Increment} {
		if t%time.Millisecond != 0 {
			return fmt.Errorf("a time of %v: want whole milliseconds", t)
		}
	}
	return nil
}

// resolveEntry returns the entry to record for an entry that a user gave, which may have a name, a
// spec or both.
func resolveEntry(asked tournament.Entry, e tournament.Event, connected func(name string) bool) (tournament.Entry, error) {
	if asked.Name == "" || asked.Spec == "" {
		return newEntry(asked.String(), e, connected)
	}
	spec, err := players.Parse(asked.Spec)
	if err != nil {
		return asked, fmt.Errorf("bot %q: %w", asked.Name, err)
	}
	return startedEntry(asked.Name, spec, e)
}

// newEntry returns the entry to record for a bot that a user gave: the name of a connected bot, SPEC
// or NAME=SPEC.
func newEntry(bot string, e tournament.Event, connected func(name string) bool) (tournament.Entry, error) {
	if connected(bot) {
		return tournament.Entry{Name: bot}, nil
	}
	name, text := splitName(bot)
	spec, err := players.Parse(text)
	if err != nil {
		return tournament.Entry{}, fmt.Errorf("no bot named %q is connected, and it is not a spec either: %w", bot, err)
	}
	return startedEntry(name, spec, e)
}

// startedEntry returns the entry of a bot that the arena starts itself.
func startedEntry(name string, spec players.Spec, e tournament.Event) (tournament.Entry, error) {
	if err := spec.Plays(e.Rules, e.Size); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w", name, err)
	}
	if err := protocol.CheckName(name); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w; give it another one: NAME=SPEC", name, err)
	}
	return tournament.Entry{Name: name, Spec: spec.String()}, nil
}

// splitName splits NAME=SPEC. A SPEC alone is its own name; its first = comes after its colon.
func splitName(bot string) (name, spec string) {
	name, spec, named := strings.Cut(bot, "=")
	if !named || strings.Contains(name, ":") {
		return bot, bot
	}
	return name, spec
}

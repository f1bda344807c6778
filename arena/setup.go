package arena

import (
	"fmt"
	"strings"
	"time"

	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// Setup is an event as somebody asks for it: its bots not yet told apart into
// those that are connected and those that must be started.
type Setup struct {
	Name  string        `json:"name"` // "" for the names of the bots
	Rules rules.Ruleset `json:"rules"`
	Size  rules.Size    `json:"size"`
	Seed  uint64        `json:"seed"`
	// Bots are names of connected bots or specs of bots to start, NAME=SPEC to
	// give such a one a name of its own.
	Bots        []string `json:"bots"`
	Matches     int      `json:"matches"` // a pair
	Concurrency int      `json:"concurrency"`
	PerMove     Millis   `json:"move_ms"` // 0: no limit; likewise the two others
	Base        Millis   `json:"base_ms"`
	Increment   Millis   `json:"increment_ms"`
	InProcess   bool     `json:"in_process"`
	Search      bool     `json:"search"` // record the bots' reports on their searches

	Settings tournament.Settings `json:"settings"`
}

// Millis is a duration, a whole number of milliseconds in JSON.
type Millis = tournament.Millis

// Resolve is the event that was asked for, on an arena where connected tells
// which bots are there. It returns an error that says what keeps the event from
// being played.
func (s Setup) Resolve(connected func(name string) bool, grace time.Duration) (tournament.Event, error) {
	e := tournament.Event{
		Name:        s.Name,
		Created:     time.Now().UTC(),
		Rules:       s.Rules,
		Size:        s.Size,
		Seed:        s.Seed,
		Matches:     s.Matches,
		Concurrency: s.Concurrency,
		Grace:       grace,
		InProcess:   s.InProcess,
		Search:      s.Search,
		Settings:    s.Settings,
		Clock: tournament.Clock{
			PerMove:   time.Duration(s.PerMove),
			Base:      time.Duration(s.Base),
			Increment: time.Duration(s.Increment),
		},
	}
	for _, bot := range s.Bots {
		entry, err := newEntry(bot, e, connected)
		if err != nil {
			return e, err
		}
		e.Entries = append(e.Entries, entry)
	}
	if e.Name == "" {
		e.Name = strings.Join(s.Bots, ", ")
	}
	return e, format.Validate(e)
}

// newEntry reads one of Setup.Bots, for the event.
func newEntry(bot string, e tournament.Event, connected func(name string) bool) (tournament.Entry, error) {
	if connected(bot) {
		return tournament.Entry{Name: bot}, nil
	}
	name, spec := splitName(bot)
	parsed, err := players.Parse(spec)
	if err != nil {
		return tournament.Entry{}, fmt.Errorf("no bot named %q is connected, and it is no spec either: %w", bot, err)
	}
	if err := parsed.Plays(e.Rules, e.Size); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w", name, err)
	}
	if err := protocol.CheckName(name); err != nil {
		return tournament.Entry{}, fmt.Errorf("bot %q: %w; give it another one: NAME=SPEC", bot, err)
	}
	return tournament.Entry{Name: name, Spec: parsed.String()}, nil
}

// splitName splits NAME=SPEC. A spec alone is its own name; the first = of a
// spec comes behind its colon.
func splitName(bot string) (name, spec string) {
	name, spec, named := strings.Cut(bot, "=")
	if !named || strings.Contains(name, ":") {
		return bot, bot
	}
	return name, spec
}

package tournament

import (
	"fmt"
	"time"
)

// The bounds of an event, whether it comes from a command line, a file, HTTP or an import. They are
// far above any real event, and limit the resources that an event takes before its first game.
const (
	MaxMatches     = 1_000_000_000 // of each pairing
	MaxBots        = 10_000
	MaxConcurrency = 10_000           // games at once
	MaxAhead       = 10_000           // matches that may be played at once
	MaxTime        = 1000 * time.Hour // of a clock, and of the grace for disconnected bots
	MaxIncrement   = time.Hour        // so that no game's total can pass the longest time.Duration

	maxName  = 1 << 16 // bytes of an event's name, which may list the specs of its bots
	maxText  = 1 << 12 // bytes of a bot's name, of its spec, and of the source of openings
	maxStays = 1 << 20 // memberships
)

// checkBounds returns an error if a setting, a text or a list is beyond the bounds.
func (e *Event) checkBounds() error {
	for _, s := range AllSettings() {
		if err := s.checkBounds(e); err != nil {
			return err
		}
	}
	for _, bound := range []struct {
		what        string
		found, most int
	}{
		{"bots", max(len(e.Entries), len(e.Bots)), MaxBots},
		{"memberships of bots", len(e.Memberships), maxStays},
		{"bytes of the event's name", len(e.Name), maxName},
		{"bytes of the openings' source", len(e.Settings.Openings.Source), maxText},
		{"bytes of a bot's name or spec", e.longestEntry(), maxText},
	} {
		if bound.found > bound.most {
			return fmt.Errorf("%d %s: want at most %d", bound.found, bound.what, bound.most)
		}
	}
	if e.Grace < 0 || e.Grace > MaxTime {
		return fmt.Errorf("a grace of %v: want 0 to %v", e.Grace, MaxTime)
	}
	return nil
}

// longestEntry returns the length in bytes of the longest name or spec.
func (e *Event) longestEntry() int {
	longest := 0
	for _, entry := range e.Entries {
		longest = max(longest, len(entry.Name), len(entry.Spec))
	}
	return longest
}

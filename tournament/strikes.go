package tournament

import (
	"cmp"
	"fmt"
	"slices"
)

// Strikes say when a bot that fails again and again is set aside: it is not
// paired any more, and the event goes on without it. The zero Strikes keep
// everybody. See docs/adr/0011-endings.md.
type Strikes struct {
	Faults int         `json:"faults,omitzero"` // how many set a bot aside; 0: none do
	Games  StruckGames `json:"games,omitzero"`
}

// StruckGames says what becomes of the games of a bot that is set aside.
type StruckGames string

// What becomes of them.
const (
	// CountGames, the default, lets the matches count that it played up to its
	// last fault; its opponents win those that it was still to play.
	CountGames StruckGames = "count"
	// VoidGames lets none of its matches count, for anybody.
	VoidGames StruckGames = "void"
)

func (s Strikes) validate() error {
	switch {
	case s.Faults < 0:
		return fmt.Errorf("%d faults set a bot aside: want 1 or more, or 0 for never", s.Faults)
	case s.Games != "" && s.Games != CountGames && s.Games != VoidGames:
		return fmt.Errorf("games of a bot that is set aside %q: want %s or %s", s.Games, CountGames, VoidGames)
	case s.Games != "" && s.Faults == 0:
		return fmt.Errorf("games of a bot that is set aside %q: want also after how many faults", s.Games)
	}
	return nil
}

// SetAside returns the bots that are set aside. Faults are counted in the order of the matches' numbers, not
// in that in which they were played, and only in matches that count: so it does
// not matter how many games are played at once, or when an event was
// interrupted.
func (s Strikes) SetAside(done []MatchResult) SetAside {
	last, faults := SetAside{}, map[string]int{}
	if s.Faults == 0 {
		return last
	}
	for _, m := range sortedByNumber(done) {
		if last.Of(m.Pairing) != nil {
			continue
		}
		for _, name := range []string{m.First, m.Second} {
			if faults[name] += m.faults(name); faults[name] >= s.Faults {
				last[name] = m.Match
			}
		}
	}
	return last
}

func sortedByNumber(done []MatchResult) []MatchResult {
	return slices.SortedFunc(slices.Values(done), func(a, b MatchResult) int { return cmp.Compare(a.Match, b.Match) })
}

// faults are the faults of the named bot in the match's games.
func (m *MatchResult) faults(name string) (n int) {
	for leg, game := range m.Legs {
		attacker, defender := m.Roles(leg + 1)
		if game.Ending.Fault() && (name == attacker && game.Forfeited || name == defender && !game.Forfeited) {
			n++
		}
	}
	return n
}

// SetAside is the bots that strikes have set aside, each with the number of the
// match of its last fault.
type SetAside map[string]int

// Of returns the bots of a match that were set aside before it.
func (last SetAside) Of(p Pairing) (gone []string) {
	for _, name := range []string{p.First, p.Second} {
		if m, aside := last[name]; aside && m < p.Match {
			gone = append(gone, name)
		}
	}
	return gone
}

// Counting are those of an event's decided matches whose games count in its
// statistics: all but those of bots that are set aside, as the event's strikes
// have it.
func (e *Event) Counting(done []MatchResult) []MatchResult {
	last := e.SetAside(done)
	if len(last) == 0 {
		return done
	}
	return slices.DeleteFunc(slices.Clone(done), func(m MatchResult) bool {
		void := e.Settings.Strikes.Games == VoidGames && (last[m.First] > 0 || last[m.Second] > 0)
		return void || last.Of(m.Pairing) != nil
	})
}

// SetAside are the bots that the event's strikes have set aside, each with the
// number of the last match that it is paired for.
func (e *Event) SetAside(done []MatchResult) SetAside {
	return e.Settings.Strikes.SetAside(done)
}

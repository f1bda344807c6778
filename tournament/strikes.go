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

// setAside are the bots that are set aside, each with the number of the match of
// its last fault. Faults are counted in the order of the matches' numbers, not
// in that in which they were played, and only in matches that count: so it does
// not matter how many games are played at once, or when an event was
// interrupted.
func (s Strikes) setAside(done []MatchResult) map[string]int {
	last, faults := map[string]int{}, map[string]int{}
	if s.Faults == 0 {
		return last
	}
	for _, m := range sortedByNumber(done) {
		if leavers(last, m.Pairing) != nil {
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

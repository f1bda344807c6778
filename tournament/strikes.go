package tournament

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Strikes set a failing bot aside: it is not paired any more, and the event continues without it.
// The zero Strikes set no bot aside. See docs/adr/0011-endings.md.
type Strikes struct {
	Faults int `json:"faults,omitzero" toml:"faults"` // the number that sets a bot aside; 0 means never
	// Games is "count", the default, or "void". With "count", all matches up to the bot's last fault are
	// counted, and its opponents win the later ones. With "void", none of its matches is counted.
	Games StruckGames `json:"games,omitzero" toml:"games"`
}

// StruckGames is the treatment of the games of a bot that is set aside.
type StruckGames string

const (
	// CountGames, the default, counts the matches that the bot played up to its last fault. Its
	// opponents win the matches that it had not played by then.
	CountGames StruckGames = "count"
	// VoidGames counts none of the bot's matches, for either side.
	VoidGames StruckGames = "void"
)

func (s Strikes) validate() error {
	switch {
	case s.Games != "" && s.Games != CountGames && s.Games != VoidGames:
		return fmt.Errorf("games %q of a bot that is set aside: want %s or %s", s.Games, CountGames, VoidGames)
	case s.Games != "" && s.Faults == 0:
		return fmt.Errorf("games %q of a bot that is set aside: also set the number of faults", s.Games)
	}
	return nil
}

// FaultCount finds the bots that strikes set aside, and adds the bots that have left. It counts faults in the order of
// the matches' numbers, not in the order of play. It counts no fault in a match of a bot that was set aside before.
// Thus the result does not depend on the number of games at once or on interruptions.
type FaultCount struct {
	strikes Strikes
	matches []faultyMatch // the matches with a fault, by number: other matches change nothing
	left    SetAside
	faults  map[string]int
	aside   SetAside
}

// faultyMatch is a match with the faults of its two bots.
type faultyMatch struct {
	pairing Pairing
	faults  [2]int // of First and of Second
}

// Add counts a decided match.
func (c *FaultCount) Add(m MatchResult) {
	f := faultyMatch{m.Pairing, [2]int{m.faults(m.First), m.faults(m.Second)}}
	if c.strikes.Faults == 0 || f.faults == [2]int{} {
		return
	}
	i, _ := slices.BinarySearchFunc(c.matches, m.Match, func(f faultyMatch, number int) int { return cmp.Compare(f.pairing.Match, number) })
	c.matches = slices.Insert(c.matches, i, f)
	if i == len(c.matches)-1 {
		c.count(f)
		return
	}
	c.recount()
}

func (c *FaultCount) recount() {
	clear(c.faults)
	c.aside = SetAside{}
	maps.Copy(c.aside, c.left)
	for _, f := range c.matches {
		c.count(f)
	}
}

// SetLeft sets the bots that have left, each with its last match: see [Event.Withdrawn]. No later
// match of these bots is decided.
func (c *FaultCount) SetLeft(left SetAside) {
	c.left = left
	c.recount()
}

// count counts the match with the highest number so far.
func (c *FaultCount) count(f faultyMatch) {
	if c.aside.Of(f.pairing) != nil {
		return
	}
	for i, name := range []string{f.pairing.First, f.pairing.Second} {
		if c.faults[name] += f.faults[i]; c.faults[name] >= c.strikes.Faults {
			c.aside[name] = f.pairing.Match
		}
	}
}

// SetAside returns the bots that are set aside, and the bots that have left. The caller must not
// change the result.
func (c *FaultCount) SetAside() SetAside { return c.aside }

func (m *MatchResult) faults(name string) (n int) {
	for leg := range m.Legs {
		if m.faulty(leg+1, &m.Legs[leg]) == name {
			n++
		}
	}
	return n
}

// SetAside maps each bot that strikes have set aside to the number of the match with its last
// fault. It also maps each bot that has left to the number of its last match, or 0 if it has none.
type SetAside map[string]int

// Of returns the bots of a match that were set aside before that match.
func (last SetAside) Of(p Pairing) (gone []string) {
	if len(last) == 0 {
		return nil
	}
	for _, name := range []string{p.First, p.Second} {
		if m, aside := last[name]; aside && m < p.Match {
			gone = append(gone, name)
		}
	}
	return gone
}

// Counting returns the decided matches with games that count in the event's statistics: see [Event.Counts].
func (e *Event) Counting(done []MatchResult) []MatchResult {
	last := e.SetAside(done)
	if len(last) == 0 {
		return done
	}
	return slices.DeleteFunc(slices.Clone(done), func(m MatchResult) bool { return !e.Counts(&m, last) })
}

// Counts reports whether the games of a decided match count in the event's statistics. They do not count if one of the
// bots was set aside before the match. If Strikes.Games is VoidGames, they do not count if one of the bots is in aside
// at all. aside are the bots that are set aside after all decided matches, and the bots that have left.
func (e *Event) Counts(m *MatchResult, aside SetAside) bool {
	_, first := aside[m.First]
	_, second := aside[m.Second]
	void := e.Settings.Strikes.Games == VoidGames && (first || second)
	return !void && aside.Of(m.Pairing) == nil
}

// Scored reports, for each game of a decided match, whether its score counts in the event's statistics:
// the match counts, and so does the score (see [Summary.Scored]). aside are the bots that are set aside
// after all decided matches.
func (e *Event) Scored(m MatchResult, aside SetAside) (legs [2]bool) {
	if e.Counts(&m, aside) {
		m = e.Settings.Adjudication.Judge(m)
		legs = [2]bool{m.Legs[0].Scored(), m.Legs[1].Scored()}
	}
	return legs
}

// FaultCount returns a count of the event's faults without any match, with the bots that have left.
func (e *Event) FaultCount() *FaultCount {
	c := &FaultCount{strikes: e.FormatStrikes(), faults: map[string]int{}}
	c.SetLeft(e.Withdrawn())
	return c
}

// SetAside returns the bots that the event's strikes have set aside after these matches, and the
// bots that have left.
func (e *Event) SetAside(done []MatchResult) SetAside {
	count := e.FaultCount()
	for _, m := range done {
		count.Add(m)
	}
	return count.SetAside()
}

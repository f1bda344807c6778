package tournament

import (
	"cmp"
	"fmt"
	"slices"
)

// Entrance says which bots join a ladder by themselves when they connect. A ladder that is not
// Closed is open. A bot that leaves an open ladder still plays the matches that it has begun. The
// other matches that it was given are void. See docs/adr/0022-sharing.md.
type Entrance string

// The entrances.
const (
	Closed     Entrance = ""       // none: an operator lets each bot join
	OpenTokens Entrance = "tokens" // bots with a token
	OpenAll    Entrance = "all"    // all bots that the arena admits
)

// DefaultMost is the number of bots that an open ladder may have unless its plan sets another one.
const DefaultMost = 200

// Admits reports whether a bot may join by itself. known reports whether a token has proved the bot's identity.
func (e Entrance) Admits(known bool) bool { return e == OpenAll || e == OpenTokens && known }

// validateEntrance checks the settings of open ladders, and that other events have none of them.
func (s *Settings) validateEntrance() error {
	switch p := &s.Plan; {
	case p.Open != Closed && p.Open != OpenTokens && p.Open != OpenAll:
		return fmt.Errorf("an event open to %.40q: want %s or %s", p.Open, OpenTokens, OpenAll)
	case p.Open == Closed && p.Most != 0:
		return fmt.Errorf("%d bots at most: only an open ladder has that limit", p.Most)
	case p.Open != Closed && s.Strikes.Games == VoidGames:
		return fmt.Errorf("games %q of a bot that is set aside: in an open ladder they count", VoidGames)
	}
	return nil
}

// MostBots returns the number of bots that an open ladder may ever have.
func (p *Plan) MostBots() int { return cmp.Or(p.Most, DefaultMost) }

// full reports whether the event is an open ladder that has reached its number of bots.
func (e *Event) full() bool {
	return e.Settings.Plan.Open != Closed && len(e.Entries) >= e.Settings.Plan.MostBots()
}

// FormatStrikes returns the strikes after which the event's format sets a bot aside for good. An open ladder has
// none: a bot with too many faults leaves it instead (see [Event.StruckOut]), and may join again.
func (e *Event) FormatStrikes() Strikes {
	if e.Settings.Plan.Open != Closed {
		return Strikes{}
	}
	return e.Settings.Strikes
}

// FaultLog has the matches of each bot's faults in an open ladder with strikes, by the bots' names.
// In other events it stays empty.
type FaultLog map[string][]int

// Add notes the fault of a finished game of the event, if there is one.
func (l FaultLog) Add(e *Event, r *Result) {
	if e.Settings.Plan.Open == Closed || e.Settings.Strikes.Faults == 0 {
		return
	}
	if name := r.Faulty(); name != "" {
		l[name] = append(l[name], r.Match)
	}
}

// StruckOut reports whether a bot has reached an open ladder's limit of faults. faults has the match
// of each of the bot's faults. If a bot has joined again after too many faults, an operator has let
// it in, or it is another version. Its earlier faults are then forgiven.
func (e *Event) StruckOut(name string, faults []int) bool {
	if e.Settings.Strikes.Faults == 0 {
		return false
	}
	stays, count := e.membershipsOf(name), 0
	if len(stays) == 0 {
		stays = []Membership{{Name: name, From: 1, To: NotLeft}}
	}
	for _, stay := range stays {
		if count >= e.Settings.Strikes.Faults {
			count = 0
		}
		for _, match := range faults {
			if stay.covers(match) {
				count++
			}
		}
	}
	return count >= e.Settings.Strikes.Faults
}

// Left reports whether a bot that was paired for a match has left since then.
func Left(all []Membership, name string, match int) bool {
	return slices.ContainsFunc(all, func(m Membership) bool { return m.Name == name && m.To != NotLeft && m.covers(match) })
}

package tournament

import (
	"fmt"
	"time"
)

// Presence says whether a bot can play now.
type Presence int

// The presences.
const (
	Here Presence = iota
	Away          // disconnected; it may come back
	Gone          // away for too long: it loses the games that it has begun
)

// Attending is a Bot that may lose its connection. While it is away its games wait: see
// [Settings].Absent. When it has come back or is gone, [Slots].Freed receives a value.
type Attending interface {
	Bot
	// Presence reports whether the bot can play now.
	Presence() Presence
}

// presence returns a bot's presence. A bot that cannot be away is here.
func presence(b Bot) Presence {
	if a, ok := b.(Attending); ok {
		return a.Presence()
	}
	return Here
}

// comes reports whether a bot can start its games now. A bot that is gone starts its games and loses them: at once if
// the event limits the absence of bots, otherwise when no other game is left to play. A bot that is leaving the event
// does not make its games wait.
func (s *schedule) comes(name string) bool {
	if s.event.Settings.Plan.Open != Closed {
		return true // attends checks open ladders
	}
	switch presence(s.bots[name]) {
	case Here:
		return true
	case Gone:
		if s.last || s.event.Settings.Absent > 0 {
			return true
		}
	}
	return s.leaving[name] != nil
}

func (s *Settings) validateAbsent() error {
	if s.Absent > 0 && s.Plan.Open != Closed {
		return fmt.Errorf("bots absent for %v: an open ladder has no such time, since a bot that is away leaves it", time.Duration(s.Absent))
	}
	return nil
}

// attends reports whether the bots of an open ladder can start a game. Bots that are here can. A
// bot that is gone can start the other game of a match that it has begun, to lose it. A bot that is
// leaving, or has too many faults, begins no match.
func (s *schedule) attends(g *Game) bool {
	if s.event.Settings.Plan.Open == Closed {
		return true
	}
	_, begun := s.begun[g.Match]
	for _, name := range s.botsOf(g) {
		_, parting := s.parting[name]
		if is := presence(s.bots[name]); is == Away || !begun && (is == Gone || parting || s.event.StruckOut(name, s.faulty[name])) {
			return false
		}
	}
	return true
}

// goesOn notes a match that was begun and interrupted. In an open ladder a bot that stays away
// loses the match. If a bot has left meanwhile, the match is not played any more.
func (s *schedule) goesOn(p Pairing) {
	if f, joinable := s.format.(Joinable); !joinable || !f.Void(p) {
		s.begins(p)
	}
}

func (s *schedule) begins(p Pairing) {
	s.begun[p.Match] = p
	for _, name := range []string{p.First, p.Second} {
		s.latest[name] = max(s.latest[name], p.Match)
	}
}

// engaged reports whether a bot has begun a match that is not decided.
func (s *schedule) engaged(name string) bool {
	for _, p := range s.begun {
		if p.First == name || p.Second == name {
			return true
		}
	}
	return false
}

// postpones reports whether a bot that wants to leave an open ladder has a match to finish first.
func (s *schedule) postpones(c LineupChange) bool {
	return c.Bot == nil && s.event.Settings.Plan.Open != Closed && s.engaged(c.Entry.Name)
}

// part postpones the change. The change replaces an earlier request for the same bot; that request gets an error.
func (s *schedule) part(c LineupChange) {
	if before, parting := s.parting[c.Entry.Name]; parting {
		before.Reply <- fmt.Errorf("bot %q was asked to leave once more", c.Entry.Name)
	}
	s.parting[c.Entry.Name] = c
}

func (s *schedule) interrupt() {
	s.await(-1)
	for _, c := range s.parting {
		c.Reply <- ErrInterrupted
	}
}

// departures returns the postponed changes that can be made now.
func (s *schedule) departures() (all []LineupChange) {
	for name, c := range s.parting {
		if !s.engaged(name) {
			all = append(all, c)
			delete(s.parting, name)
		}
	}
	return all
}

// prune removes open games that are void, or that are not played because a bot is set aside or has left.
func (s *schedule) prune() {
	f, joinable := s.format.(Joinable)
	kept := s.open[:0]
	for _, g := range s.open {
		if _, begun := s.begun[g.Match]; !begun && joinable && f.Void(g.Pairing) || !s.stands(&g) {
			s.wait(&g, -1)
			continue
		}
		kept = append(kept, g)
	}
	s.open = kept
}

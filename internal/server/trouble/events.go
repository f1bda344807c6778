package trouble

import (
	"fmt"
	"time"
)

// spells has the things that the present look sees, each with the time of the first look that saw it. The time of a
// thing starts anew if one look in between did not see it.
type spells[K comparable] struct{ before, now map[K]time.Duration }

// look begins a look, and forgets the things that the last look has not seen.
func (s *spells[K]) look() { s.before, s.now = s.now, map[K]time.Duration{} }

// since notes a thing that the present look sees, and returns the time of the first look that saw it. at is the time of
// the present look.
func (s *spells[K]) since(thing K, at time.Duration) time.Duration {
	if first, known := s.before[thing]; known {
		at = first
	}
	s.now[thing] = at
	return at
}

// stalls finds events that play no move although one is due, and events that start no game although games are left to
// play. It measures time by Look.Running, so that the time while the arena's process did not run does not count.
type stalls struct {
	bound time.Duration
	games spells[position]
	idle  spells[int64] // events without a game in progress, by number
}

// position is a game after a number of plies.
type position struct {
	game  int64
	plies int
}

// withoutClock times the bound is the longest time for a move without a time limit.
const withoutClock = 60

func (s *stalls) symptoms(l Look) (all []Symptom) {
	s.games.look()
	s.idle.look()
	for _, e := range l.Events {
		if e.Playing && !l.waitsForWorkers(e) {
			all = append(all, s.stalled(e, l.Running)...)
		}
	}
	return all
}

// stalled returns the symptom of an event that makes no progress: at most one, even if several of its games stall.
func (s *stalls) stalled(e Event, now time.Duration) (found []Symptom) {
	if len(e.Games) == 0 && !e.Endless && len(e.Missing) == 0 {
		if waited := now - s.idle.since(e.ID, now); waited > s.bound {
			return []Symptom{e.symptom(EventStalled, "event %d %q has games left to play and starts none, for %v by now: %s", e.ID, e.Name, round(waited), stopAndResume(e))}
		}
	}
	for _, g := range e.Games {
		waited := now - s.games.since(position{g.ID, g.Plies}, now)
		if found != nil || waited <= s.patience(e, g) {
			continue
		}
		allowed := "no clock runs"
		if g.Longest > 0 {
			allowed = fmt.Sprintf("its clocks allow %v", round(g.Longest))
		}
		found = []Symptom{e.symptom(EventStalled, "event %d %q: no move has been played in game %d for %v, and %s: look whether its bots still run; %s", e.ID, e.Name, g.ID, round(waited), allowed, stopAndResume(e))}
	}
	return found
}

// patience returns how long a move of a game may take before it is late.
func (s *stalls) patience(e Event, g Game) time.Duration {
	if g.Longest == 0 {
		return withoutClock * s.bound
	}
	return 2*g.Longest + e.Grace + s.bound
}

func stopAndResume(e Event) string {
	return fmt.Sprintf("stop and resume it (arena event stop %d, then resume %d), which loses no game", e.ID, e.ID)
}

// round shortens a time for reading.
func round(d time.Duration) time.Duration {
	if d < time.Minute {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

// failures finds events that have failed and were not resumed, and events that could not begin. It reports each for a
// day.
type failures struct{ events spells[int64] } // by Look.Elapsed

// remembered is how long a failure is a trouble if nobody reacts to it.
const remembered = 24 * time.Hour

func (f *failures) symptoms(l Look) (all []Symptom) {
	f.events.look()
	for _, e := range l.Events {
		if e.Failure == "" || l.Elapsed-f.events.since(e.ID, l.Elapsed) > remembered {
			continue
		}
		all = append(all, e.symptom(EventFailed, "%s", failed(e)))
	}
	return all
}

// failed describes the failure of an event, and how to mend it.
func failed(e Event) string {
	if e.Queued {
		return fmt.Sprintf("event %d %q could not begin: %s. It is tried again by itself; its time may pass meanwhile", e.ID, e.Name, e.Failure)
	}
	return fmt.Sprintf("event %d %q has failed: %s. Its games are kept: when the cause is gone, resume it (arena event resume %d)", e.ID, e.Name, e.Failure, e.ID)
}

// missing finds bots that an event waits for.
type missing struct {
	bound time.Duration
	bots  spells[absence] // by Look.Running
}

// absence is a bot that is missing in an event.
type absence struct {
	event int64
	bot   string
}

func (m *missing) symptoms(l Look) (all []Symptom) {
	m.bots.look()
	for _, e := range l.Events {
		for _, bot := range e.Missing {
			if waited := l.Running - m.bots.since(absence{e.ID, bot}, l.Running); waited > m.bound {
				all = append(all, e.symptomOf(bot, BotMissing, true, "event %d %q waits for bot %q, which has not been connected for %v: ask its author to start it, or %s", e.ID, e.Name, bot, round(waited), giveUp(e)))
			}
		}
	}
	return all
}

// giveUp returns the advice how to end the waiting of an event.
func giveUp(e Event) string {
	if e.Queued {
		return fmt.Sprintf("take the event out of the queue (arena event cancel %d)", e.ID)
	}
	return fmt.Sprintf("stop the event (arena event stop %d)", e.ID)
}

// roll has the bots that each event has lost.
type roll map[int64]map[string]Why

// call reports each bot that an event has lost since the last look. If the reason for losing a bot changes, call
// reports the bot again.
func (r *roll) call(l Look, lost func(Event, Gone)) {
	next := roll{}
	for _, e := range l.Events {
		before := (*r)[e.ID]
		next[e.ID] = map[string]Why{}
		for _, gone := range e.Gone {
			next[e.ID][gone.Bot] = gone.Why
			if before[gone.Bot] != gone.Why {
				lost(e, gone)
			}
		}
	}
	*r = next
}

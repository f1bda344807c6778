package trouble

import (
	"fmt"
	"time"
)

// stalls finds events that play no move although one is due.
type stalls struct {
	bound time.Duration
	seen  map[int64]progress // of games, by number
	idle  map[int64]progress // of events without a game in progress, by number
}

// progress is the number of plies of a game, and the time since when it has been the same.
type progress struct {
	plies int
	since time.Duration // Look.Running
}

// withoutClock is how many times longer than the bound a move without a time limit may take.
const withoutClock = 60

// symptoms counts only the time during which the process ran: an arena that stood still does not make an event stall.
func (s *stalls) symptoms(l Look) (all []Symptom) {
	seen, idle := map[int64]progress{}, map[int64]progress{}
	for _, e := range l.Events {
		if !e.Playing || l.waitsForWorkers(e) {
			continue
		}
		for _, g := range e.Games {
			seen[g.ID] = since(s.seen, g.ID, g.Plies, l.Running)
		}
		if len(e.Games) == 0 && !e.Endless && len(e.Missing) == 0 {
			idle[e.ID] = since(s.idle, e.ID, 0, l.Running)
		}
		all = append(all, s.stalled(e, seen, idle, l.Running)...)
	}
	s.seen, s.idle = seen, idle
	return all
}

// since returns the progress of a game that has this number of plies, with the time when it first had them.
func since(before map[int64]progress, id int64, plies int, now time.Duration) progress {
	if p, known := before[id]; known && p.plies == plies {
		return p
	}
	return progress{plies, now}
}

// stalled returns the symptom of an event if it makes no progress: one for all its games.
func (s *stalls) stalled(e Event, seen, idle map[int64]progress, now time.Duration) []Symptom {
	symptom := Symptom{Kind: EventStalled, Subject: fmt.Sprintf("event %d", e.ID), Event: e.ID, Bad: true}
	if p, known := idle[e.ID]; known && now-p.since > s.bound {
		symptom.Text = fmt.Sprintf("event %d %q has games left to play and starts none, for %v by now: %s", e.ID, e.Name, round(now-p.since), stopAndResume(e))
		return []Symptom{symptom}
	}
	for _, g := range e.Games {
		waited := now - seen[g.ID].since
		if waited <= s.patience(e, g) {
			continue
		}
		allowed := "no clock runs"
		if g.Longest > 0 {
			allowed = fmt.Sprintf("its clocks allow %v", round(g.Longest))
		}
		symptom.Text = fmt.Sprintf("event %d %q: no move has been played in game %d for %v, and %s: look whether its bots still run; %s", e.ID, e.Name, g.ID, round(waited), allowed, stopAndResume(e))
		return []Symptom{symptom}
	}
	return nil
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

// failures finds events that have failed and were not resumed, and events that could not begin, for a day.
type failures struct{ first map[int64]time.Duration }

// remembered is how long a failure is a trouble if nobody reacts to it.
const remembered = 24 * time.Hour

func (f *failures) symptoms(l Look) (all []Symptom) {
	first := map[int64]time.Duration{}
	for _, e := range l.Events {
		if e.Failure == "" {
			continue
		}
		at, known := f.first[e.ID]
		if !known {
			at = l.Elapsed
		}
		if first[e.ID] = at; l.Elapsed-at > remembered {
			continue
		}
		all = append(all, Symptom{
			Kind: EventFailed, Subject: fmt.Sprintf("event %d", e.ID), Event: e.ID, Bad: true,
			Text: failed(e),
		})
	}
	f.first = first
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
	since map[absence]time.Duration // Look.Running
}

// absence is a bot that is missing in an event.
type absence struct {
	event int64
	bot   string
}

func (m *missing) symptoms(l Look) (all []Symptom) {
	since := map[absence]time.Duration{}
	for _, e := range l.Events {
		for _, bot := range e.Missing {
			a := absence{e.ID, bot}
			at, known := m.since[a]
			if !known {
				at = l.Running
			}
			since[a] = at
			if waited := l.Running - at; waited > m.bound {
				all = append(all, Symptom{
					Kind: BotMissing, Subject: fmt.Sprintf("bot %q in event %d", bot, e.ID), Event: e.ID, Bot: bot, Bad: true,
					Text: fmt.Sprintf("event %d %q waits for bot %q, which has not been connected for %v: ask its author to start it, or %s", e.ID, e.Name, bot, round(waited), giveUp(e)),
				})
			}
		}
	}
	m.since = since
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

// call reports each bot that an event has lost since the last look.
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

package trouble

import (
	"fmt"
	"slices"
	"time"
)

// firstSeen has the things of the present snapshot, such as events without a game, each with the time of the first
// snapshot that had it. The time starts anew after a snapshot without the thing.
type firstSeen[K comparable] struct{ before, now map[K]time.Duration }

// begin begins a snapshot, and forgets the things that the last one did not have.
func (s *firstSeen[K]) begin() { s.before, s.now = s.now, map[K]time.Duration{} }

// since notes a thing of the present snapshot, and returns the time when the thing was first seen. at is the time of
// the snapshot.
func (s *firstSeen[K]) since(thing K, at time.Duration) time.Duration {
	if first, known := s.before[thing]; known {
		at = first
	}
	s.now[thing] = at
	return at
}

// stalls finds events that play no move although one is due, and events that start no game although games are left to
// play and their bots have free slots. It measures time by Snapshot.Running, which leaves out the time while the arena's
// process did not run.
type stalls struct {
	bound time.Duration
	games firstSeen[position]
	idle  firstSeen[int64] // events without a game in progress, by number
}

// position is a game after a number of plies.
type position struct {
	game  int64
	plies int
}

// withoutClock is the longest time for a move without a time limit, as a multiple of the bound.
const withoutClock = 60

func (s *stalls) symptoms(arena Snapshot) (all []Symptom) {
	s.games.begin()
	s.idle.begin()
	for _, e := range arena.Events {
		if e.Playing && !arena.waitsForWorkers(e) {
			all = append(all, s.stalled(e, arena.Running)...)
		}
	}
	return all
}

// stalled returns the symptom of an event that makes no progress: at most one, even if several of its games stall.
func (s *stalls) stalled(e Event, now time.Duration) (found []Symptom) {
	if len(e.Games) == 0 && !e.Endless && !e.Busy && len(e.Missing) == 0 {
		if waited := now - s.idle.since(e.ID, now); waited > s.bound {
			return []Symptom{e.symptom(EventStalled, "event %d %q has games left to play, but has started none for %v: %s", e.ID, e.Name, round(waited), stopAndResume(e))}
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
		found = []Symptom{e.symptom(EventStalled, "event %d %q: no move has been played in game %d for %v, and %s: check that its bots still run; %s", e.ID, e.Name, g.ID, round(waited), allowed, stopAndResume(e))}
	}
	return found
}

// patience returns the longest time that a move of a game may take without being late.
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
type failures struct{ events firstSeen[int64] } // by Snapshot.Elapsed

// remembered is the longest time that a failure remains a trouble.
const remembered = 24 * time.Hour

func (f *failures) symptoms(arena Snapshot) (all []Symptom) {
	f.events.begin()
	for _, e := range arena.Events {
		if e.Failure == "" || arena.Elapsed-f.events.since(e.ID, arena.Elapsed) > remembered {
			continue
		}
		all = append(all, e.symptom(EventFailed, "%s", failed(e)))
	}
	return all
}

// failed describes the failure of an event, and how to mend it.
func failed(e Event) string {
	if e.Queued {
		return fmt.Sprintf("event %d %q could not begin: %s. The arena tries again by itself; the event's time may pass meanwhile", e.ID, e.Name, e.Failure)
	}
	return fmt.Sprintf("event %d %q has failed: %s. Its games are kept: when the cause is gone, resume it (arena event resume %d)", e.ID, e.Name, e.Failure, e.ID)
}

// missing finds bots that an event waits for.
type missing struct {
	bound time.Duration
	bots  firstSeen[absence] // by Snapshot.Running
}

// absence is a bot that is missing in an event.
type absence struct {
	event int64
	bot   string
}

func (m *missing) symptoms(arena Snapshot) (all []Symptom) {
	m.bots.begin()
	for _, e := range arena.Events {
		for _, bot := range e.Missing {
			if waited := arena.Running - m.bots.since(absence{e.ID, bot}, arena.Running); waited > m.bound {
				all = append(all, e.symptomOf(bot, BotMissing, true, "event %d %q waits for bot %q, which has not been connected for %v: ask its author to start it, or %s", e.ID, e.Name, bot, round(waited), giveUp(e)))
			}
		}
	}
	return all
}

// giveUp returns advice for a host who no longer wants an event to wait.
func giveUp(e Event) string {
	if e.Queued {
		return fmt.Sprintf("take the event out of the queue (arena event cancel %d)", e.ID)
	}
	return fmt.Sprintf("stop the event (arena event stop %d)", e.ID)
}

// lostBots has the bots that each event has lost.
type lostBots map[int64]map[string]Why

// report calls lost for each bot that an event has lost since the last snapshot, and again if the reason for the loss
// changes.
func (b *lostBots) report(arena Snapshot, lost func(Event, Gone)) {
	next := lostBots{}
	for _, e := range arena.Events {
		before := (*b)[e.ID]
		next[e.ID] = map[string]Why{}
		for _, gone := range e.Gone {
			next[e.ID][gone.Bot] = gone.Why
			if before[gone.Bot] != gone.Why {
				lost(e, gone)
			}
		}
	}
	*b = next
}

// Worker is a worker of the arena's farm that has sent a message lately, or that is set aside.
type Worker struct {
	Name  string
	Aside string        // why it gets no more games, "" if it may get some
	Late  time.Duration // the delay of its timers
	Busy  bool          // its timers are so late that it plays fewer games at once
}

// workers finds events that wait for workers, workers that are set aside, and overloaded workers.
type workers struct {
	bound  time.Duration
	events firstSeen[int64] // by Snapshot.Running
}

func (w *workers) symptoms(arena Snapshot) (all []Symptom) {
	w.events.begin()
	for _, e := range arena.Events {
		if !arena.waitsForWorkers(e) {
			continue
		}
		if waited := arena.Running - w.events.since(e.ID, arena.Running); waited > w.bound {
			all = append(all, e.symptom(WorkersMissing, "event %d %q waits for workers, and there has been none for %v: start one (arena worker), or %s", e.ID, e.Name, round(waited), giveUp(e)))
		}
	}
	for _, one := range arena.Workers {
		all = append(all, one.symptoms()...)
	}
	return all
}

// waitsForWorkers reports whether workers are to play an event, and every worker is set aside or there is none.
func (arena *Snapshot) waitsForWorkers(e Event) bool {
	return e.Playing && e.Farmed && !slices.ContainsFunc(arena.Workers, func(w Worker) bool { return w.Aside == "" })
}

func (w *Worker) symptoms() []Symptom {
	s := Symptom{Subject: fmt.Sprintf("worker %q", w.Name), Bad: true}
	switch {
	case w.Aside != "":
		s.Kind = WorkerAside
		s.Text = fmt.Sprintf("worker %q gets no more games until the arena is started again: %s: check its machine and its program", w.Name, w.Aside)
	case w.Busy:
		s.Kind = WorkerBusy
		s.Text = fmt.Sprintf("worker %q plays fewer games at once, since its timers are late by %v: stop other programs on its machine, or start it with fewer --games", w.Name, round(w.Late))
	default:
		return nil
	}
	return []Symptom{s}
}

package trouble

import (
	"fmt"
	"time"
)

// Worker is a worker of the arena's farm that has sent a message lately, or that is set aside.
type Worker struct {
	Name  string
	Aside string        // why it gets no more games, "" if it gets some
	Late  time.Duration // the delay of its timers
	Busy  bool          // they are so late that it plays fewer games at once
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

// waitsForWorkers reports whether workers are to play an event and no worker is there.
func (arena *Snapshot) waitsForWorkers(e Event) bool {
	for _, w := range arena.Workers {
		if w.Aside == "" {
			return false
		}
	}
	return e.Playing && e.Farmed
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

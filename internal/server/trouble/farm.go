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
	events spells[int64] // by Look.Running
}

func (w *workers) symptoms(l Look) (all []Symptom) {
	w.events.look()
	for _, e := range l.Events {
		if !l.waitsForWorkers(e) {
			continue
		}
		if waited := l.Running - w.events.since(e.ID, l.Running); waited > w.bound {
			all = append(all, e.symptom(WorkersMissing, "event %d %q waits for workers, and there has been none for %v: start one (arena worker), or %s", e.ID, e.Name, round(waited), giveUp(e)))
		}
	}
	for _, one := range l.Workers {
		all = append(all, one.symptoms()...)
	}
	return all
}

// waitsForWorkers reports whether workers are to play an event and no worker is there.
func (l *Look) waitsForWorkers(e Event) bool {
	for _, w := range l.Workers {
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
		s.Text = fmt.Sprintf("worker %q gets no more games until the arena is started again: %s: look at its machine and its program", w.Name, w.Aside)
	case w.Busy:
		s.Kind = WorkerBusy
		s.Text = fmt.Sprintf("worker %q plays fewer games at once, since its timers are late by %v: stop other programs on its machine, or start it with fewer --games", w.Name, round(w.Late))
	default:
		return nil
	}
	return []Symptom{s}
}

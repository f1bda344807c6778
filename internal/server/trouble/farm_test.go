package trouble_test

import (
	"strings"
	"testing"
	"time"

	"versus2048/internal/server/trouble"
)

func TestEventWaitsForWorkers(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = []trouble.Event{{ID: 3, Name: "spring", Playing: true, Farmed: true}}
	w.snapshot.Workers = []trouble.Worker{{Name: "far", Aside: "game 7 differs"}}
	w.pass(5 * time.Second)
	w.want(t, 1, `+worker_aside worker "far"`)
	w.pass(65 * time.Second) // which is no stall
	w.want(t, 2, "+workers_missing event 3")
	if text := w.Troubles()[1].Text; !strings.Contains(text, "arena worker") || !strings.Contains(text, "event stop 3") {
		t.Error(text)
	}
	w.snapshot.Workers = append(w.snapshot.Workers, trouble.Worker{Name: "near"})
	w.pass(30 * time.Second)
	w.want(t, 1, "-workers_missing event 3")
	w.pass(time.Minute)
	w.want(t, 2, "+event_stalled event 3") // the worker does nothing
}

// Events that nobody else is to play need no workers.
func TestEventsWithoutFarm(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = []trouble.Event{{ID: 3, Playing: true, Endless: true}, {ID: 4, Farmed: true}}
	w.pass(time.Hour)
	w.want(t, 0)
}

func TestBusyWorker(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Workers = []trouble.Worker{{Name: "near", Late: 15 * time.Millisecond, Busy: true}}
	w.pass(5 * time.Second)
	w.want(t, 1, `+worker_busy worker "near"`)
	w.snapshot.Workers[0].Busy = false
	w.pass(30 * time.Second)
	w.want(t, 0, `-worker_busy worker "near"`)
}

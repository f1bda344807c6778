//go:build unix

package results

import (
	"context"
	"sync"
	"syscall"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// BenchmarkInProcess plays events of quick bots on the 2x2 board and reports the processor time of a
// game, its moves included.
func BenchmarkInProcess(b *testing.B) {
	for b.Loop() {
		s := openNew(b)
		e := quickEvent(500)
		var err error
		if e.ID, err = s.CreateEvent(b.Context(), e); err != nil {
			b.Fatal(err)
		}
		began := processorTime(b)
		playEvent(b, s.Journal(e.ID), e)
		b.ReportMetric(float64(processorTime(b)-began)/float64(2*e.Matches)/1e6, "ms/game")
	}
}

func quickEvent(matches int) tournament.Event {
	e := duel(matches)
	e.Size, e.InProcess = rules.Size{Width: 2, Height: 2}, true
	e.Entries = []tournament.Entry{{Name: "random", Spec: "random"}, {Name: "greedy", Spec: "greedy"}}
	return e
}

func playEvent(t testing.TB, j *Journal, e tournament.Event) {
	t.Helper()
	writing, stop := context.WithCancel(t.Context())
	var writer sync.WaitGroup
	var writeErr error
	writer.Go(func() { writeErr = j.Run(writing) })
	var bots []tournament.Bot
	for _, entry := range e.Entries {
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			t.Fatal(err)
		}
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: entry.Name}, Games: e.Concurrency, New: spec.New})
	}
	runner := tournament.Runner{Event: e, Format: format.New, Bots: bots, Journal: j}
	err := runner.Run(t.Context())
	stop()
	writer.Wait()
	if err != nil || writeErr != nil {
		t.Fatal(err, writeErr)
	}
}

func processorTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

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
// game: whole, and of its moves alone.
func BenchmarkInProcess(b *testing.B) {
	e := quickEvent(500)
	for name, play := range map[string]func(b *testing.B){
		"whole": func(b *testing.B) {
			s := openNew(b)
			var err error
			if e.ID, err = s.CreateEvent(b.Context(), e); err != nil {
				b.Fatal(err)
			}
			playEvent(b, s.Journal(e.ID), e)
		},
		"moves": func(b *testing.B) { playMoves(b, e) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				began := processorTime(b)
				play(b)
				b.ReportMetric(float64(processorTime(b)-began)/float64(2*e.Matches)/1e6, "ms/game")
			}
		})
	}
}

// playMoves plays as many games as the event has, with only the referee.
func playMoves(t testing.TB, e tournament.Event) {
	t.Helper()
	bots := localBots(t, e)
	for i := range 2 * e.Matches {
		g := duelGame(i+1, 1)
		g.Record.Start = rules.NewPosition(e.Rules, e.Size)
		seats := [2]tournament.Seat{}
		for side := range seats {
			seats[side] = bots[(i+side)%2].Sit(tournament.Assignment{Game: g, Side: rules.Side(side), Seed: uint64(2*i + side)})
		}
		if _, err := (tournament.Referee{}).Play(t.Context(), g, seats[rules.Attacker], seats[rules.Defender]); err != nil {
			t.Fatal(err)
		}
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
	runner := tournament.Runner{Event: e, Format: format.New, Bots: localBots(t, e), Journal: j}
	err := runner.Run(t.Context())
	stop()
	writer.Wait()
	if err != nil || writeErr != nil {
		t.Fatal(err, writeErr)
	}
}

func localBots(t testing.TB, e tournament.Event) (bots []tournament.Bot) {
	t.Helper()
	for _, entry := range e.Entries {
		spec, err := players.Parse(entry.Spec)
		if err != nil {
			t.Fatal(err)
		}
		bots = append(bots, &tournament.LocalBot{ID: tournament.Identity{Name: entry.Name}, Games: e.Concurrency, New: spec.New})
	}
	return bots
}

func processorTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

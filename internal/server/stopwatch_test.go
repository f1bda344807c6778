//go:build unix

package server_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"versus2048/results"
	"versus2048/tournament"
)

// timedStore is a database with a stopwatch that times every recorded ply.
type timedStore struct {
	*results.Store
	watch *stopwatch
}

func newTimedStore(tb testing.TB) timedStore {
	tb.Helper()
	store, err := results.Open(tb.Context(), tb.TempDir()+"/arena.db")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { store.Close() })
	return timedStore{store, newStopwatch()}
}

func (s timedStore) Record(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error {
	return s.Store.Record(ctx, event, func(ctx context.Context, j tournament.Journal) error {
		return play(ctx, timedJournal{j, s.watch})
	})
}

type timedJournal struct {
	tournament.Journal
	watch *stopwatch
}

func (j timedJournal) Append(game int64, ply tournament.Ply) {
	j.Journal.Append(game, ply)
	j.watch.ply(game)
}

// stopwatch measures the time from each ply of a game to the next one. Between rounds, all games wait.
type stopwatch struct {
	url   string // where the bots of the event connect
	mu    sync.Mutex
	begun sync.Cond           // signalled when a round starts or the stopwatch stops
	last  map[int64]time.Time // when each game had its last ply in this round
	trips []time.Duration
	left  int           // plies left in this round
	done  chan struct{} // closed when the round ends or the stopwatch stops
	off   bool
}

func newStopwatch() *stopwatch {
	w := &stopwatch{}
	w.begun.L = &w.mu
	return w
}

// round lets the games play this many plies and returns how long each took.
func (w *stopwatch) round(plies int) []time.Duration {
	w.mu.Lock()
	w.last, w.trips, w.left = map[int64]time.Time{}, make([]time.Duration, 0, plies), plies
	done := make(chan struct{})
	w.done = done
	w.begun.Broadcast()
	w.mu.Unlock()
	<-done
	return w.trips
}

// stop lets the games continue without timing them.
func (w *stopwatch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.off = true
	if w.left > 0 {
		w.left = 0
		close(w.done)
	}
	w.begun.Broadcast()
}

// ply records a ply of a game. Between rounds it waits for the next one.
func (w *stopwatch) ply(game int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.left == 0 && !w.off {
		w.begun.Wait()
	}
	if w.off {
		return
	}
	now := time.Now()
	if last, known := w.last[game]; known {
		w.trips = append(w.trips, now.Sub(last))
		if w.left--; w.left == 0 {
			close(w.done)
		}
	}
	w.last[game] = now
}

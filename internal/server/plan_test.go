package server_test

import (
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/tournament"
)

// leastHeap returns the memory that the process keeps: the least of some readings, since others use memory for a
// moment.
func leastHeap() int64 {
	var least uint64 = math.MaxInt64
	for range 6 { // the content of a pool survives one collection
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		least = min(least, m.HeapAlloc)
	}
	return int64(least)
}

// An event of 10^9 matches a pairing starts at once and harms no other: both are played, it can be looked at, stopped
// and resumed. One match more is refused.
func TestLongPlan(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{tournament.RoundRobin, tournament.Gauntlet, tournament.SPRT, tournament.Ladder} {
		t.Run(kind, func(t *testing.T) {
			c := serve(t, newStore(), nil)
			long := local(tournament.MaxMatches)
			long.Settings.Plan.Kind = kind
			if kind == tournament.SPRT {
				long.Settings.Plan.SPRT.Elo0, long.Settings.Plan.SPRT.Elo1 = 0.1, 0.2
			}
			event, err := c.Start(t.Context(), long)
			if err != nil {
				t.Fatal(err)
			}
			other, err := c.Start(t.Context(), local(5))
			if err != nil {
				t.Fatal(err)
			}
			if last := ended(t, c, other); last.State != server.Finished || last.Done != 10 {
				t.Errorf("the other event: %+v", last)
			}
			for range 2 {
				now := until(t, c, event, func(p server.Progress) bool { return p.Played > 3 })
				if now.Total != 2*tournament.MaxMatches || len(now.Standings.Places) != 2 {
					t.Errorf("progress %+v", now)
				}
				if err := c.Stop(t.Context(), event); err != nil {
					t.Fatal(err)
				}
				if table, err := c.Crosstable(t.Context(), event); err != nil || len(table.Standings) != 2 {
					t.Errorf("crosstable %+v, error %v", table, err)
				}
				if err := c.Resume(t.Context(), event); err != nil {
					t.Fatal(err)
				}
			}
			refused := new(server.RequestError)
			for _, matches := range []int{tournament.MaxMatches + 1, 2_000_000_000} {
				long.Matches = matches
				if _, err := c.Start(t.Context(), long); !errors.As(err, &refused) || !strings.Contains(err.Error(), "want at most 1000000000") {
					t.Errorf("%d matches: error %v", matches, err)
				}
			}
		})
	}
}

// Events that are over leave the arena's memory: a hundred of them leave only their progress, and the rest comes from
// the store.
func TestFinishedEventsLeaveMemory(t *testing.T) {
	testkit.Long(t)
	store := newStore()
	c := serve(t, store, nil)
	play := func(events int) int64 {
		for range events {
			event, err := c.Start(t.Context(), local(20))
			if err != nil {
				t.Fatal(err)
			}
			if last := ended(t, c, event); last.State != server.Finished {
				t.Fatalf("%+v", last)
			}
			if event > 1 {
				store.forget(event - 1)
			}
		}
		return leastHeap()
	}
	before := play(10)
	const more = 60
	if kept := (play(more) - before) / more; kept > 12_000 {
		t.Errorf("an event that is over keeps %d bytes", kept)
	}
	events, err := c.Events(t.Context())
	if err != nil || len(events) != 10+more || events[0].Event != 1 || events[0].State != server.Finished || events[0].Done != 40 {
		t.Errorf("%d events, the first %+v, error %v", len(events), events[0], err)
	}
	last := int64(len(events))
	if status, err := c.Status(t.Context(), last); err != nil || status.State != server.Finished || len(status.Standings.Places) != 2 {
		t.Errorf("status %+v, error %v", status, err)
	}
	news := 0
	if err := c.FollowNews(t.Context(), last, func(server.News) error { news++; return nil }); err != nil || news < 60 {
		t.Errorf("%d news of the last event, error %v", news, err)
	}
	if err := c.FollowNews(t.Context(), 1, func(server.News) error { return nil }); err == nil || !strings.Contains(err.Error(), "event 1 is not being played here") {
		t.Errorf("news of the first event: error %v", err)
	}
	if status, err := c.Status(t.Context(), 1); err != nil || len(status.Standings.Places) != 2 {
		t.Errorf("status of the first event %+v, error %v", status, err)
	}
	if err := c.Resume(t.Context(), 1); err != nil {
		t.Errorf("resuming the first event: %v", err)
	}
}

package tournament_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"versus2048/players"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// forgetful is a Journal that keeps no games.
type forgetful struct {
	tournament.Journal
	last atomic.Int64
}

func (j *forgetful) Open(_ context.Context, g tournament.Game) (tournament.Game, error) {
	g.ID = j.last.Add(1)
	return g, nil
}
func (*forgetful) Append(int64, tournament.Ply)                                  {}
func (*forgetful) Finish(context.Context, tournament.Game) error                 { return nil }
func (*forgetful) Finished(context.Context, func(tournament.Result) error) error { return nil }
func (*forgetful) Begun(context.Context, func(tournament.Pairing) error) error   { return nil }
func (*forgetful) Identify(context.Context, tournament.Identity) error           { return nil }

// lap measures a run from its first game on for a number of games, and then stops it.
type lap struct {
	stopper
	games atomic.Int64
	most  int64
	stop  context.CancelFunc

	began         time.Time
	took          time.Duration
	before, after runtime.MemStats
	live          int64 // bytes after a garbage collection at the end, more than at the beginning
}

func (l *lap) Played(*tournament.Game, tournament.Ply) {}

// Ended implements tournament.Watcher. The runner calls it for one game at a time.
func (l *lap) Ended(tournament.Game, tournament.Result, *tournament.MatchResult) {
	switch l.games.Add(1) {
	case 1:
		runtime.GC()
		runtime.ReadMemStats(&l.before)
		l.began = time.Now()
	case l.most:
		l.took = time.Since(l.began)
		runtime.ReadMemStats(&l.after)
		runtime.GC()
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		l.live = int64(now.HeapAlloc) - int64(l.before.HeapAlloc)
		l.stop()
	}
}

// planned returns an event of a format on the smallest board.
func planned(kind string, bots, matches, concurrency int) tournament.Event {
	e := smallEvent(bots, matches, concurrency)
	e.Size = rules.Size{Width: 2, Height: 2}
	e.Settings.Plan.Kind = kind
	if kind == tournament.SPRT {
		e.Settings.Plan.SPRT.Elo1, e.Settings.Plan.SPRT.Elo0 = 0.2, 0.1 // never decided
	}
	return e
}

// playPart plays that many games of the event, or all of them if it has fewer.
func playPart(tb testing.TB, e tournament.Event, games int) *lap {
	tb.Helper()
	ctx, stop := context.WithCancel(tb.Context())
	defer stop()
	l := &lap{most: int64(games), stop: stop}
	r := &tournament.Runner{Event: e, Format: format.New, Journal: &forgetful{}, Watcher: l}
	for _, entry := range e.Entries {
		r.Bots = append(r.Bots, &tournament.LocalBot{
			ID: tournament.Identity{Name: entry.Name}, Games: e.Concurrency,
			New: func(g players.Game) players.Player { return drawing{g.Seed} },
		})
	}
	if err := r.Run(ctx); err != nil && !errors.Is(err, tournament.ErrInterrupted) || l.took == 0 {
		tb.Fatalf("%d games of %d, error %v", l.games.Load(), games, err)
	}
	return l
}

// The cost of a game does not depend on the number of planned matches: neither the memory that is
// allocated for it, nor the memory that is kept. One game is played at a time, since parallel games
// allocate more or less as they happen to wait for each other.
func TestCostOfAGameIsFlat(t *testing.T) {
	const games = 600
	for _, kind := range []string{tournament.RoundRobin, tournament.Gauntlet, tournament.SPRT} {
		bots := 6
		if kind == tournament.SPRT {
			bots = 2
		}
		cost := func(matches int) float64 {
			l := playPart(t, planned(kind, bots, matches, 1), games)
			if l.live > 500_000 {
				t.Errorf("%s of %d matches keeps %d bytes after %d games", kind, matches, l.live, games)
			}
			return float64(l.after.Mallocs-l.before.Mallocs) / games
		}
		short := cost(1000)
		for _, matches := range []int{100_000, 10_000_000, tournament.MaxMatches} {
			if long := cost(matches); long > 1.1*short+2 {
				t.Errorf("%s: %.1f allocations a game of %d planned matches, %.1f of 1000", kind, long, matches, short)
			}
		}
	}
}

// BenchmarkPlan plays games of round-robins of six bots, of each length in turn. It reports the
// games per second, as multiples of the rate in the shortest event, and the bytes that are kept
// after them.
func BenchmarkPlan(b *testing.B) {
	const games = 1900
	plans := []int{1000, 100_000, 10_000_000}
	took, live := make([]time.Duration, len(plans)), make([]int64, len(plans))
	for b.Loop() {
		for i, plan := range plans {
			l := playPart(b, planned(tournament.RoundRobin, 6, plan/15+1, 2), games)
			if took[i] == 0 || l.took < took[i] {
				took[i] = l.took // the quickest, since other load only adds time
			}
			live[i] = max(live[i], l.live)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric((games-1)/took[0].Seconds(), "games/s")
	for i, plan := range plans {
		b.ReportMetric(float64(took[0])/float64(took[i]), fmt.Sprintf("ratio@%.0e", float64(plan)))
		b.ReportMetric(float64(live[i]), fmt.Sprintf("B@%.0e", float64(plan)))
	}
}

// BenchmarkStart prepares an event and gives out its first match.
func BenchmarkStart(b *testing.B) {
	for _, matches := range []int{1000, 100_000, 10_000_000, tournament.MaxMatches} {
		b.Run(fmt.Sprintf("matches=%d", matches), func(b *testing.B) {
			e := planned(tournament.RoundRobin, 6, matches, 2)
			for b.Loop() {
				if _, ok := format.New(e).Next(tournament.Everyone{}); !ok {
					b.Fatal("no match")
				}
			}
		})
	}
}

// BenchmarkResume tells a format recorded matches: the time for each.
func BenchmarkResume(b *testing.B) {
	for _, kind := range []string{tournament.RoundRobin, tournament.Ladder} {
		b.Run(kind, func(b *testing.B) {
			e := planned(kind, 6, tournament.MaxMatches, 2)
			f, again := format.New(e), format.New(e)
			for b.Loop() {
				p, _ := f.Next(tournament.Everyone{})
				m := tournament.MatchResult{Pairing: p, Outcome: tournament.FirstWins, By: tournament.ByScore}
				f.Add(m)
				again.Add(m)
			}
		})
	}
}

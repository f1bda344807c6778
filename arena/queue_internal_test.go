package arena

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/arena/agenda"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// database adapts a database to the interface of an arena.
type database struct{ *results.Store }

func (d database) Journal(event int64) Journal { return d.Store.Journal(event) }

func (d database) HasToken(ctx context.Context, role Role, name string) (bool, error) {
	return d.Store.HasToken(ctx, string(role), name)
}

func (d database) ValidToken(ctx context.Context, role Role, name, token string) (bool, error) {
	return d.Store.ValidToken(ctx, string(role), name, token)
}

// inVirtualTime runs an arena without a network on a database, in virtual time, as long as do takes.
func inVirtualTime(t *testing.T, path string, do func(h *host)) {
	t.Helper()
	store, err := results.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := New(Config{Store: database{store}, Agenda: store, Log: slog.New(slog.DiscardHandler)})
	s.host.open(ctx)
	s.host.takeUp(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.host.queue.watch(ctx)
	}()
	do(s.host)
	stop()
	<-watched
	s.host.close()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// pass lets virtual time pass.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// nightly is an event that is played at 20:00 every day. Virtual time begins at midnight, UTC.
func nightly(t *testing.T, wait time.Duration, times int) Booking {
	t.Helper()
	every, err := agenda.ParseEvery("day@20:00")
	if err != nil {
		t.Fatal(err)
	}
	e := tournament.Event{Name: "nightly", Bots: []string{"random", "greedy"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 1, InProcess: true, Seed: 42}
	return Booking{Event: e, Every: every, Times: times, Wait: Millis(wait)}
}

// A series is played day after day, each event with its name and its seed, until it has all.
func TestSeries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.book(t.Context(), nightly(t, 0, 3)); err != nil {
				t.Fatal(err)
			}
			for day := 1; day <= 3; day++ {
				pass(19 * time.Hour)
				if waiting := h.queued(); len(waiting) != 1 || waiting[0].State != Scheduled || waiting[0].Queue.Nth != day {
					t.Fatalf("on day %d waits %+v", day, waiting)
				}
				pass(5 * time.Hour)
				events := h.list()
				e, err := h.store.Event(t.Context(), int64(day))
				if err != nil || len(events) != min(day+1, 3) || events[day-1].State != Finished || e.Seed != agenda.Seed(42, day) || e.Name != agenda.Name("nightly", day) {
					t.Fatalf("on day %d: event %+v, error %v, of %+v", day, e, err, events)
				}
			}
			pass(24 * time.Hour)
			if waiting, items := h.queued(), agendaOf(t, h); len(waiting) > 0 || len(items) > 0 {
				t.Errorf("after the last one waits %+v, on the agenda is %+v", waiting, items)
			}
		})
	})
}

// agendaOf reads the agenda.
func agendaOf(t *testing.T, h *host) []agenda.Item {
	t.Helper()
	items, err := h.agenda.Agenda(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// An arena that was down plays the last time that it missed, once, unless it is too late for that.
func TestMissedTimes(t *testing.T) {
	for _, c := range []struct {
		wait, down time.Duration
		done       int           // events that have been played an hour after the arena is back
		next       time.Duration // after virtual time began
	}{
		{0, 12 * time.Hour, 0, 20 * time.Hour},
		{0, 21 * time.Hour, 1, 44 * time.Hour},
		{0, 24 * time.Hour, 1, 44 * time.Hour},
		{0, 240 * time.Hour, 1, 260 * time.Hour},
		{2 * time.Hour, 21 * time.Hour, 1, 44 * time.Hour},
		{2 * time.Hour, 23 * time.Hour, 0, 44 * time.Hour},
		{2 * time.Hour, 240 * time.Hour, 0, 260 * time.Hour},
	} {
		path := filepath.Join(t.TempDir(), "arena.db")
		synctest.Test(t, func(t *testing.T) {
			midnight := time.Now()
			inVirtualTime(t, path, func(h *host) {
				if _, err := h.book(t.Context(), nightly(t, c.wait, 0)); err != nil {
					t.Fatal(err)
				}
			})
			pass(c.down)
			inVirtualTime(t, path, func(h *host) {
				pass(time.Hour)
				done := 0
				for _, p := range h.list() {
					if p.State == Finished {
						done++
					}
				}
				waiting := h.queued()
				if done != c.done || len(waiting) != 1 || !waiting[0].Queue.Begin.Equal(midnight.Add(c.next)) {
					t.Errorf("down for %v, waiting for %v: %d events are played, %+v waits: want %d, and one in %v", c.down, c.wait, done, waiting, c.done, c.next)
				}
			})
		})
	}
}

// A series whose bots do not come goes on to its next time, with the same event, and says what it has missed.
func TestSeriesWithoutItsBots(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			b := nightly(t, time.Hour, 0)
			b.Event.Bots[0] = "ann"
			if _, err := h.book(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			pass(20*time.Hour + time.Minute)
			if waiting := h.queued(); len(waiting) != 1 || waiting[0].State != Queued || waiting[0].Queue.Text() != "not connected: ann" {
				t.Fatalf("at its time it is %+v", waiting)
			}
			pass(time.Hour)
			waiting := h.queued()
			if len(waiting) != 1 || waiting[0].Event != 1 || waiting[0].State != Scheduled || waiting[0].Queue.Missed != "it did not begin at 2000-01-01T20:00:00Z (not connected: ann)" {
				t.Fatalf("after its time it is %+v: %+v", waiting, waiting[0].Queue)
			}
		})
	})
}

// Whoever skips a time of a series waits for the next one.
func TestSkippedTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
			pass(20*time.Hour - time.Second)
			if err := h.skip(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			pass(24 * time.Hour)
			if waiting := h.queued(); len(waiting) != 1 || waiting[0].Event != 1 || waiting[0].Queue.Begin.Day() != 2 {
				t.Errorf("after skipping a day waits %+v", waiting)
			}
			pass(time.Minute)
			if waiting := h.queued(); len(waiting) != 1 || waiting[0].Event != 2 || waiting[0].Queue.Begin.Day() != 3 {
				t.Errorf("after the day waits %+v", waiting)
			}
		})
	})
}

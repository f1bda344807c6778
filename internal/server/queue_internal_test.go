package server

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// inVirtualTime runs an arena without a network on a database, in virtual time, as long as do takes.
func inVirtualTime(t *testing.T, path string, do func(h *host)) {
	t.Helper()
	store, err := results.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := New(Config{Store: store, Tokens: store.Tokens(), Agenda: store, Log: slog.New(slog.DiscardHandler)})
	s.host.runs.open(ctx)
	s.host.queue.takeUp(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.host.queue.watch(ctx)
	}()
	do(s.host)
	stop()
	<-watched
	s.host.runs.close()
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
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 3)); err != nil {
				t.Fatal(err)
			}
			for day := 1; day <= 3; day++ {
				pass(19 * time.Hour)
				if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].State != Scheduled || waiting[0].Queue.Nth != day {
					t.Fatalf("on day %d waits %+v", day, waiting)
				}
				pass(5 * time.Hour)
				events := h.runs.Events()
				e, err := h.store.Event(t.Context(), int64(day))
				if err != nil || len(events) != min(day+1, 3) || events[day-1].State != Finished || e.Seed != agenda.Seed(42, day) || e.Name != agenda.Name("nightly", day) {
					t.Fatalf("on day %d: event %+v, error %v, of %+v", day, e, err, events)
				}
			}
			pass(24 * time.Hour)
			if waiting, items := h.queue.queued(), agendaOf(t, h); len(waiting) > 0 || len(items) > 0 {
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
	t.Parallel()
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
				if _, err := h.queue.book(t.Context(), nightly(t, c.wait, 0)); err != nil {
					t.Fatal(err)
				}
			})
			pass(c.down)
			inVirtualTime(t, path, func(h *host) {
				pass(time.Hour)
				done := 0
				for _, p := range h.runs.Events() {
					if p.State == Finished {
						done++
					}
				}
				waiting := h.queue.queued()
				if done != c.done || len(waiting) != 1 || !waiting[0].Queue.Begin.Equal(midnight.Add(c.next)) {
					t.Errorf("down for %v, waiting for %v: %d events are played, %+v waits: want %d, and one in %v", c.down, c.wait, done, waiting, c.done, c.next)
				}
			})
		})
	}
}

// If the bots of a series do not come, it goes on to its next time, with the same event, and reports the missed time.
func TestSeriesWithoutItsBots(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			b := nightly(t, time.Hour, 0)
			b.Event.Bots[0] = "ann"
			if _, err := h.queue.book(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			pass(20*time.Hour + time.Minute)
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].State != Queued || waiting[0].Queue.Text() != "not connected: ann" {
				t.Fatalf("at its time it is %+v", waiting)
			}
			pass(time.Hour)
			waiting := h.queue.queued()
			if len(waiting) != 1 || waiting[0].Event != 1 || waiting[0].State != Scheduled || waiting[0].Queue.Missed != "it did not begin at 2000-01-01T20:00:00Z (not connected: ann)" {
				t.Fatalf("after its time it is %+v: %+v", waiting, waiting[0].Queue)
			}
		})
	})
}

// An arena that is shutting down records no event: a restart would play it, though it was refused.
func TestNoEventDuringShutdown(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	inVirtualTime(t, path, func(h *host) {
		h.runs.close()
		b := nightly(t, 0, 1)
		_, started := h.Start(t.Context(), b.Event)
		_, booked := h.queue.book(t.Context(), b)
		for what, err := range map[string]error{"start": started, "book": booked} {
			if request := (*RequestError)(nil); !errors.As(err, &request) || !errors.Is(err, errShutdown) {
				t.Errorf("%s: %v, want %v", what, err, errShutdown)
			}
		}
		if items := agendaOf(t, h); len(items) > 0 {
			t.Errorf("on the agenda is %+v", items)
		}
	})
}

// A series that leaves out a time waits for the next one.
func TestSkippedTime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
			pass(20*time.Hour - time.Second)
			if err := h.queue.Skip(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			pass(24 * time.Hour)
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].Event != 1 || waiting[0].Queue.Begin.Day() != 2 {
				t.Errorf("after skipping a day waits %+v", waiting)
			}
			pass(time.Minute)
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].Event != 2 || waiting[0].Queue.Begin.Day() != 3 {
				t.Errorf("after the day waits %+v", waiting)
			}
		})
	})
}

// A series keeps its next time if the agenda cannot record the skip.
func TestSkipThatIsNotRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
			on := fullDisk(h)
			if err := h.queue.Skip(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "the disk is full") {
				t.Errorf("skipping its next time: %v", err)
			}
			on.busy.Store(false)
			pass(20*time.Hour + time.Minute)
			if p, _ := h.runs.of(1).feed.latest(); p.State != Finished {
				t.Errorf("the event is %s", p.State)
			}
		})
	})
}

// The times of day of a series are in the arena's time zone, also after a restart.
func TestSeriesInAnotherZone(t *testing.T) {
	const farEast = "Etc/GMT-9" // nine hours ahead of UTC
	if os.Getenv("TZ") != farEast {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^TestSeriesInAnotherZone$")
		again.Env = append(os.Environ(), "TZ="+farEast)
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: TestSeriesInAnotherZone") {
			t.Errorf("in a process with that zone: %v\n%s", err, out)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now().Add(11 * time.Hour) // 20:00 in the far east, when virtual time begins at midnight, UTC
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
		})
		inVirtualTime(t, path, func(h *host) {
			if q := h.queue.queued()[0].Queue; !q.Begin.Equal(begin) || !q.Until.Equal(begin.Add(24*time.Hour)) {
				t.Errorf("after a restart it waits from %s until %s, want a day from %s on", q.Begin, q.Until, begin)
			}
			pass(12 * time.Hour)
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].Event != 2 || !waiting[0].Queue.Begin.Equal(begin.Add(24*time.Hour)) {
				t.Errorf("after the first one waits %+v, want it a day after %s", waiting, begin)
			}
		})
	})
}

// stoppingStore has an event stopped while the queue begins it.
type stoppingStore struct {
	Store
	host    *host
	stopped chan error
}

func (s *stoppingStore) Event(ctx context.Context, id int64) (tournament.Event, error) {
	r := s.host.runs.of(id)
	go func() { s.stopped <- s.host.Stop(ctx, id) }()
	<-r.life.Done() // it is noted
	return s.Store.Event(ctx, id)
}

// An event that is stopped while the queue begins it stays stopped, and its series ends.
func TestStoppedWhileItBegins(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
			store := &stoppingStore{h.store, h, make(chan error)}
			h.queue.mu.Lock()
			h.store = store
			h.queue.mu.Unlock()
			if err := <-store.stopped; err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			if items := agendaOf(t, h); len(items) != 1 || items[0].Wanted != agenda.Stopped || !items[0].Every.Once() {
				t.Errorf("on the agenda is %+v", items)
			}
			if waiting := h.queue.queued(); len(waiting) > 0 {
				t.Errorf("in the queue is %+v", waiting)
			}
			if p, _ := h.runs.of(1).feed.latest(); p.State != Interrupted {
				t.Errorf("the event is %s: %s", p.State, p.Message)
			}
		})
	})
}

// An event of a series that is being stopped has no next time to skip.
func TestSkipWhatIsStopped(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
			h.runs.of(1).giveUp(t.Context())
			if err := h.queue.Skip(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "is played once") {
				t.Errorf("skipping its next time: %v", err)
			}
			pass(21 * time.Hour)
			if items := agendaOf(t, h); len(items) != 1 || items[0].Wanted != agenda.Stopped {
				t.Errorf("on the agenda is %+v", items)
			}
		})
	})
}

// An event of a series that was stopped belongs to its series when it is resumed or put in the queue again: it is not
// played beside another one.
func TestStoppedEventKeepsItsSeries(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			e := nightly(t, 0, 0).Event
			e.Bots, e.Entries = nil, []tournament.Entry{{Name: "ann"}, {Name: "bob", Spec: "greedy"}}
			for nth := 1; nth <= 2; nth++ {
				if _, err := h.agenda.Plan(t.Context(), e, agenda.Item{Wanted: agenda.Stopped, Nth: nth, Series: int64(nth - 1)}); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Resume(t.Context(), 2); err != nil { // it waits for ann for some seconds
				t.Fatal(err)
			}
			if err := h.Resume(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "event 2 of its series is still being played") {
				t.Errorf("resuming another event of the series: %v", err)
			}
			if err := h.queue.requeue(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			items := agendaOf(t, h)
			if len(items) != 2 {
				t.Errorf("on the agenda is %+v, want both events", items)
			}
			for i, item := range items {
				if item.Wanted != agenda.Running || item.Series != 1 || item.Nth != int(item.Event) {
					t.Errorf("item %d is %+v", i, item)
				}
			}
		})
	})
}

// An event that has failed is played again after a restart, unless somebody stops or cancels it.
func TestFailedEventIsStopped(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*host, context.Context, int64) error{"stop": (*host).Stop, "cancel": func(h *host, ctx context.Context, id int64) error { return h.queue.Cancel(ctx, id) }} {
		path := filepath.Join(t.TempDir(), "arena.db")
		synctest.Test(t, func(t *testing.T) {
			inVirtualTime(t, path, func(h *host) {
				e := nightly(t, 0, 0).Event
				e.Bots, e.Entries = nil, []tournament.Entry{{Name: "ann"}, {Name: "bob", Spec: "greedy"}}
				if _, err := h.agenda.Plan(t.Context(), e, agenda.Item{Wanted: agenda.Paused}); err != nil {
					t.Fatal(err)
				}
				if err := h.Resume(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
				pass(time.Minute)
				if p, _ := h.runs.of(1).feed.latest(); p.State != Failed {
					t.Fatalf("without ann it is %s", p.State)
				}
				if err := stop(h, t.Context(), 1); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if items := agendaOf(t, h); len(items) != 1 || items[0].Wanted != agenda.Stopped {
					t.Errorf("%s: on the agenda is %+v", name, items)
				}
				if err := stop(h, t.Context(), 1); err == nil {
					t.Errorf("%s: no error for an event that is stopped", name)
				}
			})
			inVirtualTime(t, path, func(h *host) {
				if r := h.runs.of(1); r != nil {
					t.Errorf("%s: it is played again", name)
				}
			})
		})
	}
}

// failingStore fails to read events while it is busy.
type failingStore struct {
	Store
	busy atomic.Bool
}

func (s *failingStore) Event(ctx context.Context, id int64) (tournament.Event, error) {
	if s.busy.Load() {
		return tournament.Event{}, errors.New("the disk is busy")
	}
	return s.Store.Event(ctx, id)
}

// failing makes reading the host's events fail until busy is false.
func failing(h *host) (busy *atomic.Bool) {
	h.queue.mu.Lock()
	defer h.queue.mu.Unlock()
	store := &failingStore{Store: h.store}
	store.busy.Store(true)
	h.store = store
	return &store.busy
}

// An event of a series that the database does not let begin waits, is a trouble meanwhile, and begins when the database
// can be read again.
func TestSeriesWaitsForTheDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, 0, 0)); err != nil {
				t.Fatal(err)
			}
			busy := failing(h)
			pass(20*time.Hour + time.Minute)
			waiting := h.queue.queued()
			if len(waiting) != 1 || waiting[0].State != Queued || !strings.Contains(waiting[0].Queue.Other, "the disk is busy") {
				t.Fatalf("while the database fails there waits %+v", waiting)
			}
			if seen := h.runs.snapshots(); len(seen) != 1 || !strings.Contains(seen[0].Failure, "the disk is busy") {
				t.Errorf("the watch sees %+v", seen)
			}
			busy.Store(false)
			pass(time.Minute)
			if p, _ := h.runs.of(1).feed.latest(); p.State != Finished {
				t.Errorf("the event is %s: %s", p.State, p.Message)
			}
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].Event != 2 || waiting[0].Queue.Begin.Day() != 2 {
				t.Errorf("after it waits %+v", waiting)
			}
		})
	})
}

// If the time of a series passes during a failure of the database, the series goes on at its next time, and reports the
// missed time.
func TestSeriesGoesOnAfterFailure(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			if _, err := h.queue.book(t.Context(), nightly(t, time.Hour, 0)); err != nil {
				t.Fatal(err)
			}
			busy := failing(h)
			pass(22 * time.Hour)
			waiting := h.queue.queued()
			if len(waiting) != 1 || waiting[0].State != Scheduled || !strings.Contains(waiting[0].Queue.Missed, "the disk is busy") {
				t.Fatalf("after its time there waits %+v", waiting)
			}
			busy.Store(false)
			pass(23 * time.Hour)
			if p, _ := h.runs.of(1).feed.latest(); p.State != Finished {
				t.Errorf("the event is %s: %s", p.State, p.Message)
			}
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].Event != 2 || waiting[0].Queue.Begin.Day() != 3 {
				t.Errorf("after it waits %+v", waiting)
			}
		})
	})
}

// failingAgenda cannot record anything while it is busy.
type failingAgenda struct {
	realAgenda
	busy atomic.Bool
}

func (a *failingAgenda) Note(ctx context.Context, item agenda.Item) (agenda.Item, error) {
	if a.busy.Load() {
		return item, errors.New("the disk is full")
	}
	return a.realAgenda.Note(ctx, item)
}

// fullDisk lets the host record no change of its agenda until the agenda is not busy any more.
func fullDisk(h *host) *failingAgenda {
	h.queue.mu.Lock()
	defer h.queue.mu.Unlock()
	on := &failingAgenda{realAgenda: h.agenda}
	on.busy.Store(true)
	h.agenda = on
	return on
}

// An event that is played once begins, too, when it can be recorded that it does. Until then it may wait as long as it
// was asked to.
func TestEventWaitsForTheDatabase(t *testing.T) {
	t.Parallel()
	for _, full := range []time.Duration{time.Minute, 3 * time.Hour} {
		path := filepath.Join(t.TempDir(), "arena.db")
		synctest.Test(t, func(t *testing.T) {
			inVirtualTime(t, path, func(h *host) {
				b := nightly(t, time.Hour, 0)
				b.Every, b.StartAt = agenda.Every{}, "20:00"
				if _, err := h.queue.book(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				on := fullDisk(h)
				pass(20*time.Hour + full)
				on.busy.Store(false)
				pass(time.Minute)
				p, _ := h.runs.of(1).feed.latest()
				if late := full > time.Hour; late != (p.State == Failed) || late != strings.Contains(p.Message, "the disk is full") || !late && p.State != Finished {
					t.Errorf("after the disk was full for %v it is %s: %s", full, p.State, p.Message)
				}
			})
		})
	}
}

// A series that could not be put in the queue when the arena opened goes on when its event is put there, and is not
// ended by resuming the event alone.
func TestSeriesIsPutInTheQueueAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			b := nightly(t, 0, 0)
			item, err := b.item(time.Now())
			if err != nil {
				t.Fatal(err)
			}
			e, err := h.expecting().Resolve(b.Event, h.roster.Grace)
			if err != nil {
				t.Fatal(err)
			}
			if item, err = h.agenda.Plan(t.Context(), e, item); err != nil {
				t.Fatal(err)
			}
			if err := h.Resume(t.Context(), item.Event); err == nil || !strings.Contains(err.Error(), "the rest of its series follows it") {
				t.Errorf("resuming it alone: %v", err)
			}
			if err := h.queue.requeue(t.Context(), item.Event); err != nil {
				t.Fatal(err)
			}
			pass(21 * time.Hour)
			if waiting := h.queue.queued(); len(waiting) != 1 || waiting[0].Event != 2 || waiting[0].Queue.Begin.Day() != 2 {
				t.Errorf("after it waits %+v", waiting)
			}
		})
	})
}

// extendingStore gives an event more matches while its games are read.
type extendingStore struct {
	Store
	extend func()
}

func (s extendingStore) Results(ctx context.Context, e tournament.Event, each func(tournament.Result) error) error {
	s.extend()
	return s.Store.Results(ctx, e, each)
}

// extendingAgenda gives an event more matches when its item is recorded.
type extendingAgenda struct {
	realAgenda
	extend func()
}

type realAgenda = Agenda // which has a method of that name

func (a extendingAgenda) Note(ctx context.Context, item agenda.Item) (agenda.Item, error) {
	a.extend()
	return a.realAgenda.Note(ctx, item)
}

// An event that is given more matches while it is put in the queue again plays them.
func TestExtendedWhileItIsRequeued(t *testing.T) {
	t.Parallel()
	for name, hook := range map[string]func(h *host, extend func()){
		"while its games are read":      func(h *host, extend func()) { h.store = extendingStore{h.store, extend} },
		"when its games have been read": func(h *host, extend func()) { h.agenda = extendingAgenda{h.agenda, extend} },
	} {
		path := filepath.Join(t.TempDir(), "arena.db")
		synctest.Test(t, func(t *testing.T) {
			inVirtualTime(t, path, func(h *host) {
				e := nightly(t, 0, 0).Event
				e.Bots, e.Entries = nil, []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "greedy"}}
				id, err := h.store.CreateEvent(t.Context(), e)
				if err != nil {
					t.Fatal(err)
				}
				hook(h, sync.OnceFunc(func() {
					if err := h.extend(t.Context(), id, 3); err != nil {
						t.Error(err)
					}
				}))
				if err := h.queue.requeue(t.Context(), id); err != nil {
					t.Fatal(err)
				}
				pass(time.Minute)
				if p, _ := h.runs.of(id).feed.latest(); p.State != Finished || p.Done != 6 || h.extensions.Load() != 1 {
					t.Errorf("%s: the event is %s after %d games, %d events were extended", name, p.State, p.Done, h.extensions.Load())
				}
			})
		})
	}
}

// An event that is given more matches while it is being resumed plays them.
func TestExtendedWhileItIsResumed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "arena.db")
	synctest.Test(t, func(t *testing.T) {
		inVirtualTime(t, path, func(h *host) {
			e := nightly(t, 0, 0).Event
			e.Bots, e.Entries = nil, []tournament.Entry{{Name: "ann", Spec: "random"}, {Name: "bob", Spec: "greedy"}}
			id, err := h.store.CreateEvent(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			extend := sync.OnceFunc(func() {
				if err := h.extend(t.Context(), id, 3); err != nil {
					t.Error(err)
				}
			})
			h.store = extendingStore{h.store, extend}
			if err := h.Resume(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			pass(time.Minute)
			if p, _ := h.runs.of(id).feed.latest(); p.State != Finished || p.Done != 6 || h.extensions.Load() != 1 {
				t.Errorf("the event is %s after %d games, %d events were extended", p.State, p.Done, h.extensions.Load())
			}
		})
	})
}

// distrustful is a farm that finds out a worker when it is told to.
type distrustful struct {
	Farm
	executors atomic.Int64
	playing   chan struct{} // has an element when a match begins
	found     chan struct{} // each value makes it find out the worker
}

func (f *distrustful) Takes(...tournament.Entry) bool { return true }

func (f *distrustful) Executor() Executor {
	f.executors.Add(1)
	return doubtful{farm: f}
}

// doubtful is its executor.
type doubtful struct {
	Executor
	farm *distrustful
}

func (v doubtful) Takes(...tournament.Entry) bool { return true }
func (doubtful) Room() int                        { return 1 }
func (doubtful) Changed() <-chan struct{}         { return nil }
func (doubtful) Met(...string) error              { return nil }
func (doubtful) Close()                           {}
func (doubtful) Settle(context.Context) error     { return nil }

// Unchecked implements Executor.
func (doubtful) Unchecked(tournament.Event, tournament.Entry) string { return "" }

func (v doubtful) Play(ctx context.Context, _ tournament.MatchWork, _ tournament.Recorder) error {
	select {
	case v.farm.playing <- struct{}{}:
	default:
	}
	select {
	case <-v.farm.found:
	case <-ctx.Done():
	}
	return &tournament.DistrustError{Workers: map[string]string{"liar": "it plays otherwise"}}
}

// An event that is paused or stopped does not go on by itself when games are taken back.
func TestUnwantedEventIsNotPlayedOn(t *testing.T) {
	t.Parallel()
	for wanted, do := range map[agenda.Wanted]func(*host, context.Context, int64) error{agenda.Paused: (*host).Pause, agenda.Stopped: (*host).Stop, agenda.Running: nil} {
		path := filepath.Join(t.TempDir(), "arena.db")
		synctest.Test(t, func(t *testing.T) {
			inVirtualTime(t, path, func(h *host) {
				farm := &distrustful{playing: make(chan struct{}, 1), found: make(chan struct{})}
				h.farm = farm
				e := nightly(t, 0, 0).Event
				e.InProcess = false
				id, err := h.Start(t.Context(), e)
				if err != nil {
					t.Fatal(err)
				}
				<-farm.playing
				if do != nil {
					if err := do(h, t.Context(), id); err != nil {
						t.Fatal(err)
					}
				}
				if wanted != agenda.Stopped {
					farm.found <- struct{}{}
				}
				pass(time.Minute)
				p, _ := h.runs.of(id).feed.latest()
				if goesOn := farm.executors.Load() == 2; goesOn != (wanted == agenda.Running) || p.State.Ended() == goesOn {
					t.Errorf("%s: it is %s, at its executor no. %d", wanted, p.State, farm.executors.Load())
				}
				if items := agendaOf(t, h); len(items) != 1 || items[0].Wanted != wanted {
					t.Errorf("%s: on the agenda is %+v", wanted, items)
				}
			})
		})
	}
}

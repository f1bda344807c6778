package server_test

import (
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/tournament"
)

func TestStartRejectsInvalidEvents(t *testing.T) {
	c := serve(t, newStore(), nil)
	for want, change := range map[string]func(*tournament.Event){
		"no bot named \"alice\" is connected": func(s *tournament.Event) { s.Bots[0] = "alice" },
		"depth=99":                            func(s *tournament.Event) { s.Bots[0] = "evminimax:depth=99" },
		"give it another one: NAME=SPEC": func(s *tournament.Event) {
			s.Bots[0] = "dag:playouts=100000,c=1000,expand=5,canonical=true,seed=123456789"
		},
		"two bots named":     func(s *tournament.Event) { s.Bots[0] = "greedy" },
		"at least 2":         func(s *tournament.Event) { s.Bots = s.Bots[:1] },
		"matches":            func(s *tournament.Event) { s.Matches = 0 },
		"at once":            func(s *tournament.Event) { s.Concurrency = 0 },
		"negative":           func(s *tournament.Event) { s.Clock.PerMove = -time.Second },
		"whole milliseconds": func(s *tournament.Event) { s.Clock.PerMove = time.Microsecond },
		"seed":               func(s *tournament.Event) { s.Seed = 1 << 60 },
	} {
		setup := local(1)
		change(&setup)
		var refused *server.RequestError
		if _, err := c.Start(t.Context(), setup); !errors.As(err, &refused) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, error is %v", want, err)
		}
	}
	for name, ask := range map[string]func() error{
		"resume":     func() error { return c.Resume(t.Context(), 7) },
		"stop":       func() error { return c.Stop(t.Context(), 7) },
		"replay":     func() error { return c.ReplayMatch(t.Context(), 7, 3) },
		"extend":     func() error { return c.Extend(t.Context(), 7, 3) },
		"crosstable": func() error { _, err := c.Crosstable(t.Context(), 7); return err },
		"follow":     func() error { _, err := c.Follow(t.Context(), 7, func(server.Progress) {}); return err },
	} {
		if refused := (*server.RequestError)(nil); !errors.As(ask(), &refused) {
			t.Errorf("%s of an event that does not exist: %v", name, ask())
		}
	}
}

// An event without a record is neither written nor listed, and its news go only to its followers, also after its end.
func TestUnrecordedEvents(t *testing.T) {
	store := newStore()
	c, arena := serveArena(t, store, func(c *server.Config) {
		c.Told = func(n server.News) { t.Errorf("it is told that event %d: %s", n.Event, n.Type) }
	})
	nothing := func() {
		t.Helper()
		events, err := c.Events(t.Context())
		if err != nil || len(events) > 0 || len(arena.Playing()) > 0 || len(store.events) > 0 || len(store.games) > 0 {
			t.Errorf("listed: %v (%v); in progress: %v; recorded: %v %v", events, err, arena.Playing(), store.events, store.games)
		}
	}
	e := local(1)
	e.Settings.Unrecorded = true
	short, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, short); last.State != server.Finished || last.Done != 2 || last.Event != short {
		t.Errorf("it is over: %+v", last)
	}
	finished := 0
	if err := c.FollowNews(t.Context(), short, func(n server.News) error {
		if n.Game != nil && n.Game.Game < 0 && n.Type == server.GameFinished {
			finished++
		}
		return nil
	}); err != nil || finished != 2 {
		t.Errorf("news of %d finished games, error %v", finished, err)
	}
	e.Matches = 1_000_000
	long, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	until(t, c, long, func(p server.Progress) bool { return p.Done > 0 })
	nothing()
	if err := c.Stop(t.Context(), long); err != nil {
		t.Error(err)
	}
	nothing()
	if status, err := c.Status(t.Context(), long); err != nil || status.State != server.Interrupted {
		t.Errorf("stopped: %+v, error %v", status, err)
	}
	refused := (*server.RequestError)(nil)
	if err := c.Resume(t.Context(), long); !errors.As(err, &refused) {
		t.Errorf("resumed: %v", err)
	}
	if _, err := c.Book(t.Context(), server.Booking{Event: e}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "record") {
		t.Errorf("queued: %v", err)
	}
}

// A round-robin that is over can get more matches, and is resumed to play them. No other event can get more.
func TestExtend(t *testing.T) {
	store := newStore()
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(1))
	if err != nil {
		t.Fatal(err)
	}
	ended(t, c, event)
	for _, matches := range []int{3, 2} { // never fewer
		if err := c.Extend(t.Context(), event, matches); err != nil {
			t.Fatal(err)
		}
		if now, err := c.Status(t.Context(), event); err != nil || now.Total != 6 || now.State == server.Finished && now.Done != 6 {
			t.Errorf("extended to %d matches and not resumed: %+v, error %v", matches, now, err)
		}
		if err := c.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		if last := ended(t, c, event); last.State != server.Finished || last.Done != 6 || last.Total != 6 {
			t.Errorf("extended to %d matches: %+v", matches, last)
		}
	}
	knockout := local(1)
	knockout.Settings.Plan.Kind = tournament.Knockout
	id, err := store.CreateEvent(t.Context(), knockout)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, c.Extend(t.Context(), id, 2), "only a round-robin")
	store.hold = true
	running, err := c.Start(t.Context(), local(30))
	if err != nil {
		t.Fatal(err)
	}
	refused(t, c.Extend(t.Context(), running, 31), "is being played")
	if err := c.Stop(t.Context(), running); err != nil {
		t.Error(err)
	}
}

func TestStopAndResume(t *testing.T) {
	t.Parallel()
	store := newStore()
	store.hold = true
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(30))
	if err != nil {
		t.Fatal(err)
	}
	stopped := false
	last, err := c.Follow(t.Context(), event, func(p server.Progress) {
		if !stopped && p.Done == 4 && p.State == server.Running {
			stopped = true
			if err := c.Stop(t.Context(), event); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || last.State != server.Interrupted || last.Message != "" || last.Done != 4 {
		t.Fatalf("after a stop the event is %s with %d games: %s %v", last.State, last.Done, last.Message, err)
	}
	store.hold = false
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != server.Finished || last.Done != 60 || last.Total != 60 {
		t.Fatalf("after the resume the event is %s with %d of %d games", last.State, last.Done, last.Total)
	}
	table, err := c.Crosstable(t.Context(), event)
	if err != nil || len(table.Standings) != 2 || table.Standings[0].Name != "greedy" || table.Standings[0].Played != 30 {
		t.Errorf("crosstable %+v, error %v", table, err)
	}
	events, err := c.Events(t.Context())
	if err != nil || len(events) != 1 || events[0].State != server.Finished {
		t.Errorf("events %+v, error %v", events, err)
	}
}

func TestStoreFailureFailsTheEventOnly(t *testing.T) {
	store := newStore()
	store.broken = errors.New("disk full")
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(1))
	if err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != server.Failed || !strings.Contains(last.Message, "disk full") {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
	store.mu.Lock()
	store.broken = nil
	store.mu.Unlock()
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last := ended(t, c, event); last.State != server.Finished || last.Done != 2 {
		t.Fatalf("after the disk works again the event is %s with %d games", last.State, last.Done)
	}
}

func TestLaunchFailureFailsTheEvent(t *testing.T) {
	c := serve(t, newStore(), nil)
	setup := local(1)
	setup.InProcess = false
	event, err := c.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	last := ended(t, c, event)
	if last.State != server.Failed || !strings.Contains(last.Message, "no bot here") || !strings.Contains(last.Message, "exit status 3") {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
}

// A paused event finishes the games in progress and starts no others until it is resumed. It can also be stopped.
func TestPauseAndResume(t *testing.T) {
	c := serve(t, newStore(), nil)
	event, err := c.Start(t.Context(), ladder())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Errorf("resuming a running event: %v", err)
	}
	until(t, c, event, func(p server.Progress) bool { return p.Done > 3 })
	for range 2 {
		if err := c.Pause(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
	paused := until(t, c, event, func(p server.Progress) bool { return p.State == server.Paused && p.Playing == 0 })
	if paused.Left != 0 {
		t.Errorf("paused: %+v", paused)
	}
	if now, err := c.Status(t.Context(), event); err != nil || now.State != server.Paused || now.Done != paused.Done {
		t.Errorf("status %+v, error %v, want %d games done", now, err, paused.Done)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	now := until(t, c, event, func(p server.Progress) bool { return p.Done > paused.Done+3 })
	if now.State != server.Running || now.Played != now.Done-paused.Done || len(now.Standings.Places) != 2 {
		t.Errorf("resumed: %+v", now)
	}
	if err := c.Pause(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Pause(t.Context(), event); err == nil || !strings.Contains(err.Error(), "it is interrupted") {
		t.Errorf("pausing a stopped event: %v", err)
	}
	if err := c.Pause(t.Context(), 7); err == nil || !strings.Contains(err.Error(), "not being played") {
		t.Errorf("pausing an event that does not exist: %v", err)
	}
	checkPauses(t, c, event)
}

// checkPauses checks that no games start while the event is paused. It accepts one game, since its news can be
// published just after the news of the pause.
func checkPauses(t *testing.T, c *server.Client, event int64) {
	t.Helper()
	paused, started, pauses := false, 0, 0
	if err := c.FollowNews(t.Context(), event, func(n server.News) error {
		switch n.Type {
		case server.EventPaused:
			paused, started = true, 0
			pauses++
		case server.EventResumed:
			paused = false
		case server.GameStarted:
			if started++; paused && started > 1 {
				t.Errorf("%d games started during a pause", started)
			}
		}
		return nil
	}); err != nil || pauses != 2 {
		t.Errorf("%d pauses, error %v", pauses, err)
	}
}

// ladder returns a ladder without an end. Its bots play in the arena's process.
func ladder() tournament.Event {
	s := local(0)
	s.Settings.Plan.Kind = tournament.Ladder
	return s
}

// Bots join and leave a ladder while it is played. After a stop and a resume, the ladder continues with its present
// bots.
func TestJoinAndLeave(t *testing.T) {
	store := newStore()
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), ladder())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "late=greedy"); err != nil {
		t.Fatal(err)
	}
	if err := c.Leave(t.Context(), event, "random"); err != nil {
		t.Fatal(err)
	}
	for problem, err := range map[string]error{
		"takes part in event 1 already": c.Join(t.Context(), event, "late"),
		"does not take part":            c.Leave(t.Context(), event, "random"),
		"is not a spec either":          c.Join(t.Context(), event, "nobody"),
		`another bot named "random"`:    c.Join(t.Context(), event, "random=greedy"),
		`its name looks like "random"`:  c.Join(t.Context(), event, "Random=greedy"),
		"event 7 is not being played":   c.Join(t.Context(), 7, "greedy"),
	} {
		if err == nil || !strings.Contains(err.Error(), problem) {
			t.Errorf("error %v, want %q", err, problem)
		}
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "random"); err == nil || !strings.Contains(err.Error(), "resume it first") {
		t.Errorf("joining a stopped event: error %v", err)
	}
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	joinAfterLeaving(t, c, event, "random")
	last, err := c.Follow(t.Context(), event, func(p server.Progress) {
		if p.Done > 40 && p.State == server.Running {
			_ = c.Stop(t.Context(), event) // called repeatedly until the event has stopped
		}
	})
	if err != nil || last.State != server.Interrupted || last.Total != 0 || last.Done <= 40 {
		t.Errorf("progress %+v, error %v", last, err)
	}
	s, err := c.Standings(t.Context(), event)
	if err != nil || len(s.Places) != 3 || s.Format != tournament.Ladder {
		t.Errorf("standings %+v, error %v", s, err)
	}
}

// A database that fails is the arena's fault, and logged, and not the fault of the operator who changes the lineup.
func TestLineupNotRecorded(t *testing.T) {
	store, log := newStore(), &logText{}
	c := serve(t, store, func(config *server.Config) { config.Log = slog.New(slog.NewTextHandler(log, nil)) })
	event, err := c.Start(t.Context(), ladder())
	if err != nil {
		t.Fatal(err)
	}
	store.mu.Lock()
	store.frozen = errors.New("/var/lib/arena.db: disk full")
	store.mu.Unlock()
	for change, err := range map[string]error{
		"join":  c.Join(t.Context(), event, "late=greedy"),
		"leave": c.Leave(t.Context(), event, "random"),
	} {
		if err == nil || !strings.Contains(err.Error(), "the change of the lineup cannot be recorded: /var/lib/arena.db: disk full") {
			t.Errorf("%s: error %v", change, err)
		}
		if !log.contains(`msg="request failed"`, "path=/api/events/1/"+change) {
			t.Errorf("%s: the log has no line about it", change)
		}
	}
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
}

// joinAfterLeaving lets a bot join that has left, as soon as it has finished its matches.
func joinAfterLeaving(t *testing.T, c *server.Client, event int64, bot string) {
	t.Helper()
	for {
		err := c.Join(t.Context(), event, bot)
		if err == nil {
			return
		}
		if t.Context().Err() != nil || !strings.Contains(err.Error(), "has left") {
			t.Fatal(err)
		}
	}
}

// A bot that had left a ladder before it was stopped finishes its matches after it was resumed. It cannot join
// meanwhile, and then it is free.
func TestLeavesAfterResume(t *testing.T) {
	t.Parallel()
	for _, silent := range []bool{true, false} {
		store := newStore()
		e := ladder()
		e.Concurrency, e.Bots = 2, nil
		e.Entries = []tournament.Entry{{Name: "random", Spec: "random"}, {Name: "greedy", Spec: "greedy"}, {Name: "ann"}}
		e.Memberships = []tournament.Membership{{Name: "ann", From: 1, To: 4}}
		event, err := store.CreateEvent(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		c := serve(t, store, nil)
		connectWire(t, c, &wireBot{name: "ann", slots: 1, silent: silent}, nil)
		if err := c.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		if silent {
			refused(t, c.Join(t.Context(), event, "ann"), "still takes part in event 1")
		} else {
			awaitFree(t, c, "ann")
			joinAfterLeaving(t, c, event, "ann")
		}
		if err := c.Stop(t.Context(), event); err != nil {
			t.Fatal(err)
		}
	}
}

// awaitFree waits until a connected bot plays in no event.
func awaitFree(t *testing.T, c *server.Client, name string) {
	t.Helper()
	for {
		bots, err := c.Bots(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(bots, func(b server.BotInfo) bool { return b.Name == name && len(b.Events) == 0 }) {
			return
		}
	}
}

// A bot joins once, however many ask at the same time, and not again before it has left: its last match is still being
// played with the slot that the first join took.
func TestJoinsOnce(t *testing.T) {
	c := serve(t, newStore(), nil)
	connectWire(t, c, &wireBot{name: "ann", slots: 9, silent: true}, nil)
	e := ladder()
	e.Concurrency = 2
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	until(t, c, event, func(p server.Progress) bool { return p.State == server.Running })
	var group sync.WaitGroup
	var joined atomic.Int64
	for range 8 {
		group.Go(func() {
			err := c.Join(t.Context(), event, "ann")
			if err == nil {
				joined.Add(1)
			} else if !strings.Contains(err.Error(), "part in event 1") {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := joined.Load(); n != 1 {
		t.Fatalf("ann has joined %d times", n)
	}
	if bots, err := c.Bots(t.Context()); err != nil || len(bots) != 1 || !slices.Equal(bots[0].Events, []int64{event}) {
		t.Fatalf("the joins that failed have taken the slot of the one that did not: %+v, error %v", bots, err)
	}
	until(t, c, event, func(p server.Progress) bool {
		return slices.ContainsFunc(p.Games, func(g server.GameProgress) bool { return g.Attacker == "ann" || g.Defender == "ann" })
	})
	if err := c.Leave(t.Context(), event, "ann"); err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "ann"); err == nil || !strings.Contains(err.Error(), "still takes part in event 1") {
		t.Errorf("ann joins again before it has left: error %v", err)
	}
}

func TestJoinRequiresALadder(t *testing.T) {
	store := newStore()
	store.hold = true
	c := serve(t, store, nil)
	event, err := c.Start(t.Context(), local(30))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Join(t.Context(), event, "late=greedy"); err == nil || !strings.Contains(err.Error(), "neither a ladder nor") {
		t.Errorf("error %v", err)
	}
}

//go:build unix

package server_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/agenda"
)

// newDatabase opens a database that is closed when the test ends.
func newDatabase(t *testing.T) *results.Store {
	t.Helper()
	s, err := results.Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// serveAgenda serves an arena that plays by itself, until the test ends.
func serveAgenda(t *testing.T, store *results.Store, change func(*server.Config)) *server.Client {
	return serve(t, store, func(c *server.Config) {
		if c.Agenda = store; change != nil {
			change(c)
		}
	})
}

// joinArena connects bots that play until the test ends or leave is called.
func joinArena(t *testing.T, c *server.Client, names ...string) (leave func()) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	for _, name := range names {
		bot := protocol.Client{
			URL: "ws" + strings.TrimPrefix(c.URL, "http") + "/bot", Hello: protocol.Hello{Name: name, Slots: 1},
			New: func(protocol.Start) (players.Player, error) { return legalMove{}, nil },
		}
		done := make(chan error, 1)
		go func() { done <- bot.Run(ctx) }()
		t.Cleanup(func() { <-done })
	}
	t.Cleanup(leave)
	return leave
}

// of returns an event of connected bots.
func of(matches int, bots ...string) tournament.Event {
	return tournament.Event{Bots: bots, Size: rules.Size{Width: 2, Height: 2}, Matches: matches, Concurrency: 1}
}

// book books an event that must be accepted.
func book(t *testing.T, c *server.Client, b server.Booking) int64 {
	t.Helper()
	event, err := c.Book(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return event
}

// inQueue returns the appointment of an event in the queue.
func inQueue(t *testing.T, c *server.Client, event int64) *agenda.Appointment {
	t.Helper()
	status, err := c.Status(t.Context(), event)
	if err != nil || !status.State.InQueue() || status.Queue == nil {
		t.Fatalf("event %d is %+v, error %v: want it in the queue", event, status, err)
	}
	return status.Queue
}

// wantAgenda fails unless the agenda has exactly these events.
func wantAgenda(t *testing.T, store *results.Store, wanted map[int64]agenda.Wanted) {
	t.Helper()
	items, err := store.Agenda(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		if item.Wanted != wanted[item.Event] {
			t.Errorf("on the agenda is %+v, want it %q", item, wanted[item.Event])
		}
		delete(wanted, item.Event)
	}
	for event, w := range wanted {
		t.Errorf("event %d, which is wanted %s, is not on the agenda", event, w)
	}
}

func TestQueuedEventsWaitForTheirBots(t *testing.T) {
	t.Parallel()
	store := newDatabase(t)
	c := serveAgenda(t, store, nil)
	first := book(t, c, server.Booking{Event: of(2, "ann", "bob")})
	second := book(t, c, server.Booking{Event: of(2, "bob", "cid")})
	third := book(t, c, server.Booking{Event: of(2, "ann", "bob")})
	if why := inQueue(t, c, first).Text(); why != "not connected: ann, bob" {
		t.Errorf("event %d waits: %s", first, why)
	}
	joinArena(t, c, "ann", "bob")
	for _, event := range []int64{first, third} {
		if last := ended(t, c, event); last.State != server.Finished || last.Done != 4 || last.Queue != nil {
			t.Errorf("event %d is %+v", event, last)
		}
	}
	if last, err := c.Status(t.Context(), first); err != nil || last.State != server.Finished {
		t.Errorf("the later event has ended before the first one, which is %s (error %v)", last.State, err)
	}
	wantAgenda(t, store, map[int64]agenda.Wanted{second: agenda.Running})
	joinArena(t, c, "cid")
	if last := ended(t, c, second); last.State != server.Finished {
		t.Errorf("event %d is %s: %s", second, last.State, last.Message)
	}
	wantAgenda(t, store, map[int64]agenda.Wanted{})
}

func TestQueueKeepsPlaces(t *testing.T) {
	t.Parallel()
	store := newDatabase(t)
	c := serveAgenda(t, store, nil)
	joinArena(t, c, "ann", "bob", "cid", "dan")
	awaitBots(t, c, "ann", "bob", "cid", "dan")
	endless := of(0, "ann", "bob")
	endless.Settings.Plan.Kind = "ladder"
	ladder := book(t, c, server.Booking{Event: endless})
	until(t, c, ladder, func(p server.Progress) bool { return p.Played > 0 })
	behind := book(t, c, server.Booking{Event: of(1, "ann", "cid")})
	last := book(t, c, server.Booking{Event: of(1, "cid", "dan")})
	if q := inQueue(t, c, behind); q.Text() != "playing elsewhere: ann" {
		t.Errorf("event %d waits: %s", behind, q.Text())
	}
	if q := inQueue(t, c, last); q.Text() != "behind event 2" {
		t.Errorf("event %d waits: %s", last, q.Text())
	}
	queue, err := c.Queue(t.Context())
	if err != nil || len(queue) != 2 || queue[0].Event != behind || queue[1].Event != last {
		t.Errorf("queue %+v, error %v", queue, err)
	}
	if err := c.Stop(t.Context(), ladder); err != nil {
		t.Fatal(err)
	}
	for _, event := range []int64{behind, last} {
		if p := ended(t, c, event); p.State != server.Finished {
			t.Errorf("event %d is %s: %s", event, p.State, p.Message)
		}
	}
	wantAgenda(t, store, map[int64]agenda.Wanted{ladder: agenda.Stopped})
}

// An event that has waited for too long has failed, says why, also after a restart, and can be put back.
func TestWaitIsOver(t *testing.T) {
	t.Parallel()
	store := newDatabase(t)
	t.Run("before a restart", func(t *testing.T) {
		c := serveAgenda(t, store, nil)
		event := book(t, c, server.Booking{Event: of(1, "ann", "bob"), Wait: server.Millis(time.Millisecond)})
		last := ended(t, c, event)
		if last.State != server.Failed || !strings.Contains(last.Message, "it has not begun by 20") || !strings.HasSuffix(last.Message, "not connected: ann, bob") {
			t.Errorf("the event is %s: %s", last.State, last.Message)
		}
		wantAgenda(t, store, map[int64]agenda.Wanted{event: agenda.Stopped})
	})
	c := serveAgenda(t, store, nil)
	status, err := c.Status(t.Context(), 1)
	if err != nil || status.State != server.Unfinished || !strings.HasSuffix(status.Message, "not connected: ann, bob") {
		t.Errorf("the event is %+v, error %v", status, err)
	}
	if err := c.Requeue(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if q := inQueue(t, c, 1); !q.Until.IsZero() {
		t.Errorf("it waits until %s", q.Until)
	}
	joinArena(t, c, "ann", "bob")
	if last := ended(t, c, 1); last.State != server.Finished {
		t.Errorf("the event is %s: %s", last.State, last.Message)
	}
}

// A restart takes up the events that were played or waited, and leaves the events that the operator has paused, stopped
// or canceled.
func TestRestartTakesUpTheAgenda(t *testing.T) {
	t.Parallel()
	store := newDatabase(t)
	endless := local(0)
	endless.Settings.Plan.Kind = "ladder"
	var played, paused, stopped, queued, canceled, scheduled int64
	t.Run("before", func(t *testing.T) {
		c := serveAgenda(t, store, nil)
		for _, event := range []*int64{&played, &paused, &stopped} {
			var err error
			if *event, err = c.Start(t.Context(), endless); err != nil {
				t.Fatal(err)
			}
			until(t, c, *event, func(p server.Progress) bool { return p.Played > 0 })
		}
		queued = book(t, c, server.Booking{Event: of(1, "ann", "bob")})
		canceled = book(t, c, server.Booking{Event: of(1, "ann", "bob")})
		scheduled = book(t, c, server.Booking{Event: local(1), StartAt: "2126-12-01 20:00"})
		if err := errors.Join(c.Pause(t.Context(), paused), c.Stop(t.Context(), stopped), c.Cancel(t.Context(), canceled)); err != nil {
			t.Fatal(err)
		}
	})
	wanted := func() map[int64]agenda.Wanted {
		return map[int64]agenda.Wanted{
			played: agenda.Running, paused: agenda.Paused, stopped: agenda.Stopped,
			queued: agenda.Running, canceled: agenda.Stopped, scheduled: agenda.Running,
		}
	}
	wantAgenda(t, store, wanted())
	t.Run("not at all", func(t *testing.T) {
		c := serveAgenda(t, store, func(config *server.Config) { config.NoResume = true })
		if events, err := c.Events(t.Context()); err != nil || len(events) > 0 {
			t.Errorf("the arena plays %+v, error %v", events, err)
		}
	})
	wantAgenda(t, store, wanted())
	c := serveAgenda(t, store, nil)
	joinArena(t, c, "ann", "bob")
	awaitEvents(t, c, 3)
	if p := until(t, c, played, func(p server.Progress) bool { return p.Played > 0 }); p.Done <= p.Played {
		t.Errorf("the ladder was not resumed: %+v", p)
	}
	if last := ended(t, c, queued); last.State != server.Finished {
		t.Errorf("the queued event is %s: %s", last.State, last.Message)
	}
	if q := inQueue(t, c, scheduled); q.Begin.Year() != 2126 {
		t.Errorf("the scheduled event begins at %s", q.Begin)
	}
	for _, event := range []int64{paused, stopped, canceled} {
		if status, err := c.Status(t.Context(), event); err != nil || status.State != server.Unfinished {
			t.Errorf("event %d is %s, error %v", event, status.State, err)
		}
	}
	if err := c.Resume(t.Context(), paused); err != nil {
		t.Fatal(err)
	}
	until(t, c, paused, func(p server.Progress) bool { return p.Played > 0 })
	items := wanted()
	items[paused] = agenda.Running
	delete(items, queued)
	wantAgenda(t, store, items)
}

// awaitEvents waits until the arena knows that number of events.
func awaitEvents(t *testing.T, c *server.Client, events int) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for {
		list, err := c.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(list) >= events {
			return
		}
		<-look.C
	}
}

func TestBadBookings(t *testing.T) {
	c := serveAgenda(t, newDatabase(t), nil)
	every, err := agenda.ParseEvery("24h")
	if err != nil {
		t.Fatal(err)
	}
	for want, b := range map[string]server.Booking{
		"that is over":               {Event: local(1), StartAt: "2020-01-01 20:00"},
		"start at \"soon\": want":    {Event: local(1), StartAt: "soon"},
		"wait -1s":                   {Event: local(1), Wait: server.Millis(-time.Second)},
		"times -1":                   {Event: local(1), Every: every, Times: -1},
		"also set every":             {Event: local(1), Times: 3},
		"unknown option \"playout\"": {Event: of(1, "random", "mcts:playout=1")},
		"want at least 2":            {Event: of(1, "ann")},
		"look alike":                 {Event: of(1, "ann", "Ann")},
		"a command is run only if":   {Event: of(1, "ann", "me=exec:touch x")},
		"no bot named \"\\x1bann\" ": {Event: of(1, "\x1bann", "bob")},
		"bot exec --name me --":      {Event: of(1, "ann", "me=python3 me.py")},
	} {
		_, err := c.Book(t.Context(), b)
		refused(t, err, want)
	}
	if queue, err := c.Queue(t.Context()); err != nil || len(queue) > 0 {
		t.Errorf("queue %+v, error %v", queue, err)
	}
	for _, ask := range []func(context.Context, int64) error{c.Cancel, c.Skip} {
		refused(t, ask(t.Context(), 7), "event 7 is not in the queue")
	}
	if err := c.Requeue(t.Context(), 7); err == nil {
		t.Error("an event that does not exist is in the queue")
	}
	_, err = serve(t, newStore(), nil).Book(t.Context(), server.Booking{Event: local(1)})
	refused(t, err, "plays nothing by itself")
}

// Two events of a series are never played at the same time.
func TestSeriesDoesNotOverlap(t *testing.T) {
	t.Parallel()
	c := serveAgenda(t, newDatabase(t), nil)
	every, err := agenda.ParseEvery("1s")
	if err != nil {
		t.Fatal(err)
	}
	endless := local(0)
	endless.Settings.Plan.Kind = "ladder"
	first := book(t, c, server.Booking{Event: endless, Every: every})
	why := until(t, c, first+1, func(p server.Progress) bool { return p.State == server.Queued && p.Queue.Other != "" }).Queue.Text()
	if why != "event 1 of its series is still being played" {
		t.Errorf("the next one waits: %s", why)
	}
	if err := c.Stop(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	until(t, c, first+1, func(p server.Progress) bool { return p.State == server.Running })
}

func TestCancelAndSkip(t *testing.T) {
	t.Parallel()
	store := newDatabase(t)
	c := serveAgenda(t, store, nil)
	every, err := agenda.ParseEvery("24h")
	if err != nil {
		t.Fatal(err)
	}
	once := book(t, c, server.Booking{Event: local(1), StartAt: "2126-12-01T20:00:00Z"})
	series := book(t, c, server.Booking{Event: local(1), StartAt: "2126-12-01T20:00:00Z", Every: every})
	refused(t, c.Skip(t.Context(), once), "is played once")
	refused(t, c.Pause(t.Context(), once), "it is scheduled")
	if err := c.Skip(t.Context(), series); err != nil {
		t.Fatal(err)
	}
	queue, err := c.Queue(t.Context())
	if err != nil || len(queue) != 2 || !queue[1].Queue.Begin.Equal(queue[0].Queue.Begin.Add(24*time.Hour)) || queue[1].Queue.Nth != 1 {
		t.Errorf("queue %+v, error %v", queue, err)
	}
	if err := errors.Join(c.Cancel(t.Context(), series), c.Stop(t.Context(), once)); err != nil {
		t.Fatal(err)
	}
	if queue, err := c.Queue(t.Context()); err != nil || len(queue) > 0 {
		t.Errorf("queue %+v, error %v", queue, err)
	}
	wantAgenda(t, store, map[int64]agenda.Wanted{once: agenda.Stopped, series: agenda.Stopped})
	refused(t, c.Cancel(t.Context(), series), "not in the queue")
}

// An event in the queue waits for a program until the host of the arena names it, and nobody else's command is run.
func TestQueuedProgramNeedsItsHost(t *testing.T) {
	store := newDatabase(t)
	t.Run("without it", func(t *testing.T) {
		c := serveAgenda(t, store, nil)
		e := local(1)
		e.Bots[0] = "me"
		if q := inQueue(t, c, book(t, c, server.Booking{Event: e})); q.Text() != "not connected: me" {
			t.Errorf("the event waits: %s", q.Text())
		}
	})
	c := serveAgenda(t, store, func(config *server.Config) { config.Programs = roster.Commands{"me": {"true"}} })
	awaitEvents(t, c, 1)
	if last := ended(t, c, 1); last.State.InQueue() || last.State == server.Interrupted {
		t.Errorf("the event is %s: %s", last.State, last.Message)
	}
}

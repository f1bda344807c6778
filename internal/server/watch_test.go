package server_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/trouble"
	"versus2048/tournament"
)

// watched serves an arena with a watch that looks all the time, and returns a channel of the reports of the watch and
// of the events.
func watched(t *testing.T, store server.Store, grace time.Duration) (*server.Client, chan string) {
	t.Helper()
	told := make(chan string, 1000)
	bounds := trouble.DefaultBounds()
	bounds.Missing = 40 * time.Millisecond
	watch := trouble.New(trouble.Config{
		Bounds: bounds,
		Changed: func(tr trouble.Trouble, over bool) {
			told <- fmt.Sprintf("%s %s %v", tr.Kind, tr.Subject, over)
		},
		Lost: func(e trouble.Event, g trouble.Gone) { told <- fmt.Sprintf("%d has lost %s: %s", e.ID, g.Bot, g.Why) },
	})
	return serve(t, store, func(c *server.Config) {
		c.Grace, c.Watch = grace, watch
		c.Agenda, _ = store.(server.Agenda) // of a real store
		c.Database = func(context.Context) server.Database { return server.Database{Path: "arena.db", Free: 5 << 30} }
		c.Told = func(n server.News) {
			places := 0
			if n.Standings != nil {
				places = len(n.Standings.Places)
			}
			told <- fmt.Sprintf("%s %s, %d places", n.Type, n.Progress.State, places)
		}
	}), told
}

// wantTold waits for texts, in any order and among others.
func wantTold(t *testing.T, told <-chan string, wanted ...string) {
	t.Helper()
	timeout := time.After(3 * time.Minute)
	for len(wanted) > 0 {
		select {
		case text := <-told:
			wanted = slices.DeleteFunc(wanted, func(w string) bool { return w == text })
		case <-timeout:
			t.Fatalf("not told: %q", wanted)
		}
	}
}

// An event that has failed is a trouble until it is resumed.
func TestFailedEventIsTrouble(t *testing.T) {
	store := newStore()
	store.broken = errors.New("disk full")
	c, told := watched(t, store, 10*time.Second)
	event, err := c.Start(t.Context(), local(1))
	if err != nil {
		t.Fatal(err)
	}
	wantTold(t, told, "event_started running, 0 places", "event_finished failed, 2 places", "event_failed event 1 false")
	s, err := c.ArenaStatus(t.Context())
	if err != nil || len(s.Troubles) != 1 || s.Troubles[0].Event != event || s.Database.Free != 5<<30 || s.Uptime == 0 || s.Events != 0 {
		t.Errorf("status %+v: %v", s, err)
	}
	store.mu.Lock()
	store.broken = nil
	store.mu.Unlock()
	if err := c.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	wantTold(t, told, "event_finished finished, 2 places", "event_failed event 1 true")
	if s, err := c.ArenaStatus(t.Context()); err != nil || len(s.Troubles) != 0 {
		t.Errorf("status %+v: %v", s, err)
	}
}

// If the connection of a bot ends, the bot is reported as missing, and as lost after its grace period. If an operator
// lets a bot leave a ladder, the bot is reported as lost, too.
func TestLostBotsAreTold(t *testing.T) {
	t.Parallel()
	store := newStore()
	c, told := watched(t, store, 2*time.Second) // so that the watch sees that the bot is missing
	ann, _ := hello(t, c, "ann", "", nil)
	e := ladder()
	e.Bots = append(e.Bots, "ann")
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	wantTold(t, told, "event_started running, 0 places")
	if s, err := c.ArenaStatus(t.Context()); err != nil || s.Bots != 1 || s.Away != 0 || s.Events != 1 {
		t.Errorf("status %+v: %v", s, err)
	}
	if err := c.Leave(t.Context(), event, "random"); err != nil {
		t.Fatal(err)
	}
	ann.Close()
	wantTold(t, told, "1 has lost random: left", `bot_missing bot "ann" in event 1 false`, "1 has lost ann: away")
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	wantTold(t, told, `bot_missing bot "ann" in event 1 true`, "event_finished interrupted, 3 places")
}

// A bot that strikes exclude is reported as lost.
func TestExcludedBotIsTold(t *testing.T) {
	store := newStore()
	c, told := watched(t, store, 10*time.Millisecond)
	ann, _ := hello(t, c, "ann", "", nil)
	e := local(100_000)
	e.Bots = append(e.Bots, "ann")
	e.Settings.Plan.Kind, e.Settings.Strikes = tournament.RoundRobin, tournament.Strikes{Faults: 4}
	e.Settings.Absent = tournament.Millis(time.Millisecond) // so that it loses games though others are left
	event, err := c.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	wantTold(t, told, "event_started running, 0 places")
	ann.Close()
	wantTold(t, told, "1 has lost ann: excluded")
	if err := c.Stop(t.Context(), event); err != nil {
		t.Fatal(err)
	}
}

// A visitor's event is not reported: it is no trouble if the visitor thinks, or leaves.
func TestVisitsAreNotTold(t *testing.T) {
	c, told := watched(t, newStore(), 10*time.Millisecond)
	e := local(1)
	e.Bots[0] = "guest Ada=random"
	for _, bots := range [][]string{e.Bots, {"random", "greedy"}} {
		e.Bots = bots
		event, err := c.Start(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		ended(t, c, event)
	}
	wantTold(t, told, "event_finished finished, 2 places")
	for len(told) > 0 {
		if text := <-told; text == "event_started running, 0 places" {
			t.Error("both events were told of")
		}
	}
}

// A bot that a queued event waits for is missing.
func TestMissingInTheQueueIsTrouble(t *testing.T) {
	store := newDatabase(t)
	c, told := watched(t, store, time.Second)
	e := local(1)
	e.Bots = []string{"ann", "greedy"}
	if _, err := c.Book(t.Context(), server.Booking{Event: e}); err != nil {
		t.Fatal(err)
	}
	wantTold(t, told, `bot_missing bot "ann" in event 1 false`)
}

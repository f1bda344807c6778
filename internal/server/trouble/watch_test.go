package trouble_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"versus2048/internal/server/trouble"
)

// watched is a watch with its reports, "+" for a trouble that was raised and "-" for one that is over, and the snapshot
// that a test changes from step to step.
type watched struct {
	*trouble.Watch
	snapshot trouble.Snapshot
	told     []string
}

func newWatched(b trouble.Bounds) *watched {
	w := &watched{snapshot: trouble.Snapshot{Wall: time.Unix(1.8e9, 0)}}
	w.Watch = trouble.New(trouble.Config{
		Bounds: b,
		Changed: func(t trouble.Trouble, over bool) {
			sign := "+"
			if over {
				sign = "-"
			}
			w.told = append(w.told, sign+string(t.Kind)+" "+t.Subject)
		},
		Lost: func(e trouble.Event, g trouble.Gone) {
			w.told = append(w.told, fmt.Sprintf("event %d lost %s: %s", e.ID, g.Bot, g.Why))
		},
	})
	return w
}

// pass checks every five seconds, the last time after d.
func (w *watched) pass(d time.Duration) {
	for ; d > 0; d -= 5 * time.Second {
		step := min(d, 5*time.Second)
		w.snapshot.Wall, w.snapshot.Elapsed, w.snapshot.Running = w.snapshot.Wall.Add(step), w.snapshot.Elapsed+step, w.snapshot.Running+step
		w.Check(w.snapshot)
	}
}

// want checks the reports since the last call, and the number of present troubles.
func (w *watched) want(t *testing.T, now int, told ...string) {
	t.Helper()
	if !slices.Equal(w.told, told) {
		t.Errorf("after %v the watch told %q, want %q", w.snapshot.Elapsed, w.told, told)
	}
	if w.told = nil; len(w.Troubles()) != now {
		t.Errorf("after %v there are the troubles %v, want %d", w.snapshot.Elapsed, w.Troubles(), now)
	}
}

// stalling is an event with a game at a ply.
func stalling(plies int, longest time.Duration) []trouble.Event {
	return []trouble.Event{{ID: 3, Name: "spring", Playing: true, Grace: 30 * time.Second, Games: []trouble.Game{{ID: 17, Plies: plies, Longest: longest}}}}
}

func TestEventStalls(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = stalling(4, 5*time.Second)
	w.pass(100 * time.Second) // twice the clock, the grace, and a minute
	w.want(t, 0)
	w.pass(10 * time.Second)
	w.want(t, 1, "+event_stalled event 3")
	if text := w.Troubles()[0].Text; !strings.Contains(text, "game 17") || !strings.Contains(text, "clocks allow 5s") {
		t.Error(text)
	}
	w.snapshot.Events = stalling(5, 5*time.Second)
	w.pass(25 * time.Second)
	w.want(t, 1)
	w.pass(5 * time.Second)
	w.want(t, 0, "-event_stalled event 3")
}

// No event stalls while the arena stands still, and a pause is no stall.
func TestWhatDoesNotStall(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = stalling(4, 5*time.Second)
	w.pass(90 * time.Second)
	w.snapshot.Elapsed, w.snapshot.Wall = w.snapshot.Elapsed+time.Hour, w.snapshot.Wall.Add(time.Hour)
	w.pass(5 * time.Second)
	if w.told = slices.DeleteFunc(w.told, func(s string) bool { return strings.Contains(s, "standstill") }); len(w.told) > 0 {
		t.Errorf("an hour in which the arena stood still: %q", w.told)
	}
	for name, e := range map[string]trouble.Event{
		"paused":                  {ID: 1, Games: []trouble.Game{{ID: 1, Longest: time.Second}}},
		"waiting for people":      {ID: 1, Playing: true, Endless: true},
		"waiting for a bot":       {ID: 1, Playing: true, Missing: []string{"ann"}},
		"waiting for a busy bot":  {ID: 1, Playing: true, Busy: true},
		"an hour without a clock": {ID: 1, Playing: true, Games: []trouble.Game{{ID: 1}}},
	} {
		w := newWatched(trouble.Bounds{Stall: time.Minute, Missing: 2 * time.Hour, Faults: 1, Games: 1})
		w.snapshot.Events = []trouble.Event{e}
		w.pass(time.Hour)
		if len(w.told) > 0 {
			t.Errorf("%s: %q", name, w.told)
		}
	}
}

func TestEventWithoutGamesStalls(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = []trouble.Event{{ID: 3, Playing: true}}
	w.pass(70 * time.Second)
	w.want(t, 1, "+event_stalled event 3")
	w.snapshot.Events = nil
	w.pass(time.Minute)
	w.want(t, 0, "-event_stalled event 3")
}

func TestEventWithoutClockStalls(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = stalling(4, 0)
	w.pass(61 * time.Minute)
	w.want(t, 1, "+event_stalled event 3")
}

func TestEventFails(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = []trouble.Event{{ID: 3, Failure: "the disk is full"}}
	w.pass(5 * time.Second)
	w.want(t, 1, "+event_failed event 3")
	w.snapshot.Events = stalling(0, time.Second) // it was resumed
	w.pass(30 * time.Second)
	w.want(t, 0, "-event_failed event 3")
	w.snapshot.Events = []trouble.Event{{ID: 4, Failure: "the disk is full"}}
	w.pass(23 * time.Hour)
	w.want(t, 1, "+event_failed event 4")
	w.pass(2 * time.Hour)
	w.want(t, 0, "-event_failed event 4")
}

// The advice about a failed event depends on whether it has begun.
func TestEventFailsAdvice(t *testing.T) {
	for queued, want := range map[bool]string{false: "arena event resume 3", true: "could not begin: the disk is full. The arena tries again"} {
		w := newWatched(trouble.DefaultBounds())
		w.snapshot.Events = []trouble.Event{{ID: 3, Failure: "the disk is full", Queued: queued}}
		w.pass(time.Minute)
		if all := w.Troubles(); len(all) != 1 || !strings.Contains(all[0].Text, want) {
			t.Errorf("queued %v: %+v, want %q", queued, all, want)
		}
	}
}

func TestBotFaults(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = []trouble.Event{{ID: 3, Playing: true, Endless: true}}
	play := func(games int, faulty string) {
		for range games {
			w.GameOver(3, "ann", "bob", faulty)
			w.pass(5 * time.Second)
		}
	}
	play(2, "bob")
	play(5, "")
	w.want(t, 0)
	play(1, "bob")
	w.want(t, 1, `+bot_faults bot "bob" in event 3`)
	if text := w.Troubles()[0].Text; !strings.Contains(text, "has lost 3 of its last 8 games") {
		t.Errorf("a bot that has played eight games: %s", text)
	}
	play(8, "") // one of the last ten is left after seven games
	w.want(t, 1)
	play(6, "")
	w.want(t, 0, `-bot_faults bot "bob" in event 3`)
	play(3, "ann")
	w.want(t, 1, `+bot_faults bot "ann" in event 3`)
	w.snapshot.Events[0].Gone = []trouble.Gone{{Bot: "ann", Why: trouble.Excluded}}
	w.pass(time.Minute)
	w.want(t, 0, "event 3 lost ann: excluded", `-bot_faults bot "ann" in event 3`)
}

func TestBotMissing(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Events = []trouble.Event{{ID: 3, Missing: []string{"ann", "bob"}}}
	w.pass(9 * time.Minute)
	w.snapshot.Events[0].Missing = []string{"bob"}
	w.pass(2 * time.Minute)
	w.want(t, 1, `+bot_missing bot "bob" in event 3`)
	w.snapshot.Events[0].Missing = []string{"ann"}
	w.pass(time.Minute)
	w.want(t, 0, `-bot_missing bot "bob" in event 3`)
}

// The advice about a missing bot depends on whether its event has begun.
func TestBotMissingAdvice(t *testing.T) {
	for queued, want := range map[bool]string{false: "arena event stop 3", true: "arena event cancel 3"} {
		w := newWatched(trouble.DefaultBounds())
		w.snapshot.Events = []trouble.Event{{ID: 3, Missing: []string{"ann"}, Queued: queued}}
		w.pass(time.Hour)
		if all := w.Troubles(); len(all) != 1 || !strings.Contains(all[0].Text, want) {
			t.Errorf("queued %v: %+v, want %q", queued, all, want)
		}
	}
}

func TestLostBots(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	gone := func(all ...trouble.Gone) {
		w.snapshot.Events = []trouble.Event{{ID: 3, Playing: true, Endless: true, Gone: all}}
		w.pass(10 * time.Second)
	}
	excluded, away := trouble.Gone{Bot: "ann", Why: trouble.Excluded}, trouble.Gone{Bot: "bob", Why: trouble.Away}
	gone(excluded, away)
	w.want(t, 0, "event 3 lost ann: excluded", "event 3 lost bob: away")
	gone(excluded)
	gone(excluded, away)
	gone(excluded, trouble.Gone{Bot: "bob", Why: trouble.Left})
	w.want(t, 0, "event 3 lost bob: away", "event 3 lost bob: left")
}

func TestDiskFills(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Disk, w.snapshot.Free = "/games", 1<<30-1
	w.pass(5 * time.Second)
	w.want(t, 1, "+disk_space the disk of /games")
	w.snapshot.Free = 1<<30 + 1<<20 // little more than the bound
	w.pass(time.Minute)
	w.want(t, 1)
	w.snapshot.Free = 2 << 30
	w.pass(time.Minute)
	w.want(t, 0, "-disk_space the disk of /games")
}

func TestDiskWillBeFull(t *testing.T) {
	for _, tc := range []struct {
		free, perHour int64
		raised        bool
	}{{100 << 30, 5 << 30, true}, {100 << 30, 2 << 30, false}, {100 << 30, 0, false}, {100 << 30, -5 << 30, false}} {
		w := newWatched(trouble.DefaultBounds())
		w.snapshot.Disk, w.snapshot.Free = "/games", tc.free
		for range 30 {
			w.pass(5 * time.Minute)
			w.snapshot.Free -= tc.perHour / 12
		}
		if got := len(w.told) > 0; got != tc.raised {
			t.Errorf("%d bytes free, and %d less each hour: told %q", tc.free, tc.perHour, w.told)
		}
		if w.told = nil; tc.raised {
			w.pass(7 * time.Hour) // nothing is written any more
			w.want(t, 0, "-disk_space the disk of /games")
		}
	}
}

// A disk that has little more room than it should have may still fill too soon. After that its trouble stays.
func TestDiskWillBeFullNearTheBound(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Disk, w.snapshot.Free = "/games", 1200<<20
	for range 24 {
		w.pass(5 * time.Minute)
		w.snapshot.Free -= 5 << 20
	}
	w.want(t, 1, "+disk_space the disk of /games")
	if text := w.Troubles()[0].Text; !strings.Contains(text, "it is full in 18h") {
		t.Error(text)
	}
	w.pass(7 * time.Hour) // nothing is written any more
	w.want(t, 1)
	if text := w.Troubles()[0].Text; !strings.Contains(text, "has 1.1 GiB free, little more than the 1.0 GiB that it should have") {
		t.Error(text)
	}
}

func TestClockJumps(t *testing.T) {
	for _, jump := range []time.Duration{2 * time.Second, 3 * time.Second, -time.Hour} {
		w := newWatched(trouble.DefaultBounds())
		w.pass(time.Minute)
		w.snapshot.Wall = w.snapshot.Wall.Add(jump)
		w.pass(9 * time.Minute)
		if jump == 2*time.Second {
			w.want(t, 0)
			continue
		}
		w.want(t, 1, "+clock_jumped the machine's clock")
		w.pass(2 * time.Minute)
		w.want(t, 0, "-clock_jumped the machine's clock")
	}
}

func TestStandstill(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	for range 30 {
		w.pass(5 * time.Second)
		w.snapshot.Running -= 400 * time.Millisecond
	}
	w.want(t, 1, "+standstill the arena's process")
	w.pass(6 * time.Minute)
	w.want(t, 0, "-standstill the arena's process")
}

func TestDatabaseLost(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Database = errors.New("it was deleted")
	w.pass(5 * time.Second)
	w.want(t, 1, "+database_lost the database")
	w.snapshot.Database = nil
	w.pass(time.Minute)
	w.want(t, 0, "-database_lost the database")
}

func TestCounts(t *testing.T) {
	w := newWatched(trouble.DefaultBounds())
	w.snapshot.Database, w.snapshot.Events = errors.New("gone"), []trouble.Event{{ID: 1, Failure: "x"}, {ID: 2, Failure: "y"}}
	w.pass(5 * time.Second)
	counts := w.Counts()
	if len(counts) != len(trouble.Kinds()) || counts[trouble.EventFailed] != 2 || counts[trouble.DatabaseLost] != 1 || counts[trouble.Standstill] != 0 {
		t.Errorf("counts %v", counts)
	}
	var none *trouble.Watch
	none.GameOver(1, "ann", "bob", "")
	none.Run(t.Context(), nil)
	if all := none.Troubles(); all == nil || len(all) != 0 {
		t.Errorf("no watch has the troubles %v", all)
	}
}

func TestBounds(t *testing.T) {
	if err := trouble.DefaultBounds().Validate(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*trouble.Bounds){
		func(b *trouble.Bounds) { b.Stall = 0 },
		func(b *trouble.Bounds) { b.Missing = -1 },
		func(b *trouble.Bounds) { b.Faults = 0 },
		func(b *trouble.Bounds) { b.Games = b.Faults - 1 },
		func(b *trouble.Bounds) { b.Games = trouble.MostGames + 1 },
		func(b *trouble.Bounds) { b.Free = -1 },
	} {
		b := trouble.DefaultBounds()
		if change(&b); b.Validate() == nil {
			t.Errorf("%+v is valid", b)
		}
	}
}

// Run checks at once, and then every five seconds.
func TestRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 21*time.Second)
		defer cancel()
		checks := 0
		trouble.New(trouble.Config{Bounds: trouble.DefaultBounds()}).Run(ctx, func(context.Context) trouble.Snapshot {
			checks++
			return trouble.Snapshot{Wall: time.Now()}
		})
		if checks != 5 {
			t.Errorf("%d checks in 21 s, want 5", checks)
		}
	})
}

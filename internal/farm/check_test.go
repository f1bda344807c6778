package farm

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// Matches with a clock are checked as well, if the clock does not end the bots' searches; a worker alone is checked by
// the arena.
func TestClocksHideNoLies(t *testing.T) {
	t.Parallel()
	for name, clock := range map[string]tournament.Clock{"a move": {PerMove: time.Minute}, "a game": {Base: time.Hour, Increment: time.Second}} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t, 1)
			e := g.duel(t, 1)
			e.Clock = clock
			ended := g.play(t, e)
			liar := g.impostor(t, "liar")
			_, of, s := liar.takeGames()
			liar.playOtherwise(of, s)
			wantDistrust(t, <-ended, "liar", 0)
		})
	}
}

// An honest worker alone is checked by the arena, and the event ends.
func TestOneWorkerIsChecked(t *testing.T) {
	t.Parallel()
	g := newGround(t, 1)
	e := g.duel(t, 2)
	e.Clock.PerMove, e.Entries[0].Spec = time.Minute, "mcts:playouts=20"
	ended := g.play(t, e)
	g.work(t, "alone")
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if aside := g.coordinator.Aside(); g.coordinator.checks.done != 2 || len(aside) > 0 {
		t.Errorf("%d checks, set aside are %v", g.coordinator.checks.done, aside)
	}
}

// A match waits for its check while many others are checked, but not longer than its event lasts. Its worker is checked
// next time.
func TestWaitForACheckEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*ground, context.CancelFunc){
		"interrupted": func(_ *ground, interrupt context.CancelFunc) { interrupt() },
		"distrusted":  func(g *ground, _ context.CancelFunc) { g.coordinator.setAside(map[string]string{"w": "it lies"}) },
	} {
		t.Run(name, func(t *testing.T) {
			g := newGround(t, 1)
			checks := g.coordinator.checks
			for range mostChecks {
				checks.places <- struct{}{}
			}
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			executor := g.coordinator.Executor()
			ended := g.playAt(ctx, t, executor, g.duel(t, 2))
			w := g.impostor(t, "w")
			_, of, s := w.takeGames()
			w.playOtherwise(of, s)
			testkit.Await(t, "a match that waits for its check", func() bool { return executor.waiting.Load() > 0 })
			end(g, interrupt)
			if err := <-ended; err == nil {
				t.Error("the event is said to be over")
			}
			testkit.Await(t, "the worker to count as unchecked", func() bool {
				checks.mu.Lock()
				defer checks.mu.Unlock()
				return !checks.known["w"]
			})
		})
	}
}

// A file that has changed since a match was played, and a file that cannot be read, are errors that differ.
func TestChangedFilesAreTold(t *testing.T) {
	t.Parallel()
	c, path := newGround(t, 0).coordinator.checks, content(t, 100, 1)
	entries := []tournament.Entry{{Name: "net", Spec: "az:simulations=8,weights=" + path}}
	file, err := c.farm.depot.look(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	files := stock{"net": {"weights": file}}
	if err := c.unchanged(t.Context(), entries, files); err != nil {
		t.Errorf("the same file: %v", err)
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := c.unchanged(t.Context(), entries, files); err == nil || errors.Is(err, errUnreadable) || !strings.HasSuffix(err.Error(), path+" has changed") {
		t.Errorf("another file: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := c.unchanged(t.Context(), entries, files); !errors.Is(err, errUnreadable) || strings.Contains(err.Error(), "changed") {
		t.Errorf("no file: %v", err)
	}
}

// excusable compares the result 1 of worker a with 2 of worker b and with the result of the arena itself. A clock may
// explain every difference.
func excusable(here int) comparison[int] {
	return comparison[int]{
		worker: "a", first: 1,
		again:      func(context.Context) (int, string, error) { return 2, "b", nil },
		here:       func(context.Context) (int, error) { return here, nil },
		difference: func(a, b int) string { return strings.Repeat("it differs", min(1, max(a-b, b-a))) },
		late:       func(int, int) (unexplained string, doubtful bool) { return "", false },
	}
}

// A difference that a clock may explain shows nothing: it is no agreement, and nobody is set aside.
func TestExcuseIsNoAgreement(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	c := g.coordinator.checks
	err := settle(c, excusable(2))
	if err != nil {
		t.Fatal(err)
	}
	if aside := g.coordinator.Aside(); c.done != 0 || len(aside) > 0 {
		t.Errorf("%d checks have found no difference, set aside are %v", c.done, aside)
	}
}

// An event is told which of its bots cannot be checked, and why.
func TestUnchecked(t *testing.T) {
	move, game := tournament.Clock{PerMove: time.Second}, tournament.Clock{Base: time.Minute}
	for _, c := range []struct {
		spec  string
		clock tournament.Clock
		want  string
	}{
		{"random", game, ""},
		{"mcts:playouts=100,seed=7", move, ""},
		{"alphabeta:depth=4", move, ""},
		{"mcts:time=100", move, "its search has a limit of time"},
		{"mcts:threads=2", tournament.Clock{}, "its search has several threads"},
		{"mcts:playouts=100", game, "it divides the time of a game among its moves"},
		{"champion", tournament.Clock{}, "it keeps its table from move to move"},
		{"", move, "it is a program"},
	} {
		farm := &Coordinator{config: Config{Check: 0.02}}
		if got := farm.Unchecked(tournament.Event{Clock: c.clock}, tournament.Entry{Spec: c.spec}); got != c.want {
			t.Errorf("%q with %+v: %q, want %q", c.spec, c.clock, got, c.want)
		}
	}
	if got := (&Coordinator{}).Unchecked(tournament.Event{}, tournament.Entry{Spec: "random"}); got == "" {
		t.Error("without checks everything is checked")
	}
}

// A clock is an excuse for a move at the end of its time, and a doubtful one if the arena needs little of that time. It
// must explain all games that differ. After another first game a second one may be decided earlier or later.
func TestLate(t *testing.T) {
	clock := tournament.Clock{PerMove: time.Second}
	moves := []rules.Move{1, 2, 3}
	game := func(last rules.Move, took time.Duration) tournament.Game {
		return tournament.Game{ID: int64(last), Record: record.Record{
			Start: rules.NewPosition(rules.GPCC2015, rules.Full), Ending: record.Mate,
			Moves: []rules.Move{moves[0], moves[1], last}, Times: []time.Duration{time.Millisecond, time.Millisecond, took},
		}}
	}
	cut := func(by record.Ending) tournament.Game {
		g := game(3, 0)
		g.Record.Moves, g.Record.Times, g.Record.Ending = moves[:2], g.Record.Times[:2], by
		return g
	}
	quick, normal := game(3, 10*time.Millisecond), game(3, 200*time.Millisecond)
	late4, early4 := game(4, 900*time.Millisecond), game(4, 400*time.Millisecond)
	for name, c := range map[string]struct {
		clock       tournament.Clock
		played, own []tournament.Game
		unexplained string
		doubtful    bool
	}{
		"the same":           {clock, []tournament.Game{game(3, time.Second)}, []tournament.Game{quick}, "", false},
		"early":              {clock, []tournament.Game{early4}, []tournament.Game{normal}, "ply 3 of game 4", false},
		"late":               {clock, []tournament.Game{late4}, []tournament.Game{normal}, "", false},
		"late, hard to say":  {clock, []tournament.Game{late4}, []tournament.Game{quick}, "", true},
		"without a clock":    {tournament.Clock{}, []tournament.Game{game(4, time.Hour)}, []tournament.Game{quick}, "ply 3 of game 4", false},
		"lost on time":       {clock, []tournament.Game{cut(record.Time)}, []tournament.Game{normal}, "", false},
		"lost, hard to say":  {clock, []tournament.Game{cut(record.Time)}, []tournament.Game{quick}, "", true},
		"lost without clock": {tournament.Clock{}, []tournament.Game{cut(record.Time)}, []tournament.Game{quick}, "game 3 ends", false},

		"late, then early":     {clock, []tournament.Game{game(5, time.Second), early4}, []tournament.Game{normal, normal}, "ply 3 of game 4", false},
		"late, then the same":  {clock, []tournament.Game{late4, quick}, []tournament.Game{normal, quick}, "", false},
		"late twice":           {clock, []tournament.Game{late4, late4}, []tournament.Game{normal, quick}, "", true},
		"late, then decided":   {clock, []tournament.Game{late4, cut(record.Decided)}, []tournament.Game{normal, normal}, "", false},
		"late, then undecided": {clock, []tournament.Game{late4, normal}, []tournament.Game{normal, cut(record.Decided)}, "", false},
		"decided at once":      {clock, []tournament.Game{quick, cut(record.Decided)}, []tournament.Game{quick, normal}, "game 3 ends", false},
		"late, then resigned":  {clock, []tournament.Game{late4, cut(record.Resigned)}, []tournament.Game{normal, normal}, "game 3 ends", false},
	} {
		t.Run(name, func(t *testing.T) {
			unexplained, doubtful := late(c.clock, c.played, c.own)
			if (unexplained == "") != (c.unexplained == "") || !strings.HasPrefix(unexplained, c.unexplained) || doubtful != c.doubtful {
				t.Errorf("%q and %v, want %q and %v", unexplained, doubtful, c.unexplained, c.doubtful)
			}
		})
	}
	c := &checks{farm: &Coordinator{config: Config{Log: quiet}}, doubts: map[string]int{}}
	for n := 1; n <= mostDoubts; n++ {
		if got := c.excuses("w", true); got != (n < mostDoubts) {
			t.Errorf("the %dth doubtful excuse counts: %v", n, got)
		}
	}
}

// A clock excuses only the worker that had one: the match is played again without a clock.
func TestNoExcuseWithoutClock(t *testing.T) {
	t.Parallel()
	g := newGround(t, 0)
	c := g.coordinator.checks
	err := settle(c, excusable(1))
	if err != nil {
		t.Fatal(err)
	}
	if aside := g.coordinator.Aside(); len(aside) != 1 || !strings.Contains(aside["b"], "it differs") {
		t.Errorf("set aside are %v, want b", aside)
	}
}

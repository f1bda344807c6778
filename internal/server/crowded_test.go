//go:build unix

package server_test

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/server/roster"
	"versus2048/rules"
	"versus2048/tournament"
)

// crowdedVariable makes TestCrowdedArena play in a process of its own, which it slows down.
const crowdedVariable = "VERSUS2048_TEST_CROWDED"

// crowdVariable is the number of goroutines that crowd that process, with clocks of 250 ms a move. With the 200 of
// "make stall" an answer is read about 400 ms after it has arrived. That needs an idle machine, so that bots answer at
// once; by default the goroutines are few and the clocks long.
const crowdVariable = "VERSUS2048_CROWD"

// Many goroutines want the only processor of an arena, each for 2 ms at a time, as the requests of strangers do.
// Nothing stands still: the clock of the machine is read on time. A bot and a program that answer at once lose nothing.
func TestCrowdedArena(t *testing.T) {
	if os.Getenv(crowdedVariable) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestCrowdedArena$", "-test.v")
		child.Env = append(os.Environ(), crowdedVariable+"=yes", "GOMAXPROCS=1")
		if out, err := child.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	many, limit := 30, 5*time.Second
	if n, err := strconv.Atoi(os.Getenv(crowdVariable)); err == nil {
		many, limit = n, 250*time.Millisecond
	}
	store := crowdedStore{newStore(), sync.OnceFunc(func() { crowd(t, many) })}
	client := serve(t, store, func(config *server.Config) {
		config.Launch = func(l roster.Own) *exec.Cmd { return task("play", l.Name, l.Token, l.URL, l.Slots) }
		config.Programs = roster.Commands{"bob": {"env", taskVariable + "=program", os.Args[0]}}
	})
	event, err := client.Start(t.Context(), tournament.Event{
		Bots: []string{"ann=random", "bob"}, Size: rules.Size{Width: 2, Height: 2}, Matches: 1, Concurrency: 2,
		Clock:    tournament.Clock{PerMove: limit},
		Settings: tournament.Settings{Adjudication: tournament.Adjudication{MaxTurns: 2}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if last := ended(t, client, event); last.State != server.Finished {
		t.Fatalf("the event is %s: %s", last.State, last.Message)
	}
	games := store.finished(event)
	if len(games) != 2 {
		t.Errorf("%d games are recorded, want 2", len(games))
	}
	for _, g := range games {
		t.Logf("%d plies, times %v, pauses %v", len(g.Record.Moves), g.Record.Times, g.Record.Pauses)
		if g.Record.Ending.Fault() || len(g.Record.Moves) < 4 {
			t.Errorf("game %d ended by %s: %s", g.Leg, g.Record.Ending, g.Record.Detail)
		}
	}
}

// crowd makes many goroutines work until the test ends.
func crowd(t *testing.T, many int) {
	for range many {
		go func() {
			for t.Context().Err() == nil {
				for began := time.Now(); time.Since(began) < 2*time.Millisecond; {
				}
				runtime.Gosched()
			}
		}()
	}
}

// crowdedStore calls begin before the first ply is recorded.
type crowdedStore struct {
	*memoryStore
	begin func()
}

func (s crowdedStore) Record(ctx context.Context, event int64, play func(context.Context, tournament.Journal) error) error {
	return s.memoryStore.Record(ctx, event, func(ctx context.Context, j tournament.Journal) error {
		return play(ctx, crowdedJournal{j, s.begin})
	})
}

type crowdedJournal struct {
	tournament.Journal
	begin func()
}

func (j crowdedJournal) Append(int64, tournament.Ply) { j.begin() }

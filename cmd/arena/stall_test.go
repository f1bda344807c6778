//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
	"versus2048/players"
	"versus2048/protocol"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// stallVariable sets for how long the test stops the arena: 20s in make stall.
const stallVariable = "VERSUS2048_STALL"

// An arena that is stopped by a signal charges no bot for that time: neither bots in their own processes nor bots in
// its own process.
func TestStoppedArenaBlamesNobody(t *testing.T) {
	testkit.Long(t)
	stall := 6 * time.Second
	if text := os.Getenv(stallVariable); text != "" {
		var err error
		if stall, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, inProcess := range map[string]bool{"connected": false, "in process": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, scraper := newHost(t), freeAddress(t)
			h.serve(t, "--metrics-addr", scraper)
			stopped := h.stopper(t, "ann")
			h.bot(t, "bob", "mcts:playouts=300,c=1", "--slots", "4", "--quiet", "--margin", "20ms")
			h.await(t, 2)
			bots, matches := []string{"ann", "bob"}, 15
			if inProcess { // their turns are so long that hardly any moment is between two
				bots, matches = []string{"a=mcts:time=20", "b=mcts:time=20,c=1"}, 2
			}
			event, err := h.client.Start(t.Context(), tournament.Event{
				Bots: bots, Matches: matches, Concurrency: 2, Size: rules.Size{Width: 3, Height: 3}, InProcess: inProcess,
				Clock: tournament.Clock{PerMove: 5 * time.Second, Base: time.Minute, Increment: 20 * time.Millisecond},
			})
			if err != nil {
				t.Fatal(err)
			}
			if inProcess {
				h.whilePlaying(t, event, func() {
					<-time.After(50 * time.Millisecond) // until the next game has begun
					h.signal(t, syscall.SIGSTOP)
					h.goOnAfter(t, stall)
				})
			} else {
				<-stopped
				h.goOnAfter(t, stall)
			}
			last, err := h.client.Follow(t.Context(), event, func(server.Progress) {})
			if err != nil || last.State != server.Finished {
				t.Fatalf("the event is %s: %s %v", last.State, last.Message, err)
			}
			games := h.games(t, event)
			var most time.Duration
			for key, r := range games {
				if r.Ending != record.Mate {
					t.Errorf("match %d game %d ended by %s: %s", key.match, key.leg, r.Ending, r.Detail)
				}
				for _, p := range r.Pauses {
					most = max(most, p.Stall)
				}
			}
			all := stood(t, scraper)
			if most < stall-100*time.Millisecond || most > all+100*time.Millisecond {
				t.Errorf("the longest stall on record is %v, want about %v; the arena stood still for %v in all", most, stall, all)
			}
			h.verify(t, event, len(games))
		})
	}
}

// whilePlaying calls do once games of the event have been played.
func (h *host) whilePlaying(t *testing.T, event int64, do func()) {
	t.Helper()
	done := false
	_, err := h.client.Follow(t.Context(), event, func(p server.Progress) {
		if !done && p.Done >= 1 {
			done = true
			do()
		}
	})
	if err != nil || !done {
		t.Fatalf("following event %d: done %v, error %v", event, done, err)
	}
}

// goOnAfter lets the arena's process go on after some time.
func (h *host) goOnAfter(t *testing.T, d time.Duration) {
	t.Helper()
	<-time.After(d)
	h.signal(t, syscall.SIGCONT)
}

// signal sends a signal to the arena's process.
func (h *host) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := h.server.Process.Signal(signal); err != nil {
		t.Error(err)
	}
}

// stopper connects a bot that stops the arena, once, while it has the turn. The channel is closed then.
func (h *host) stopper(t *testing.T, name string) (stopped <-chan struct{}) {
	t.Helper()
	spec, err := players.Parse("mcts:playouts=300")
	if err != nil {
		t.Fatal(err)
	}
	var moves atomic.Int32
	done := make(chan struct{})
	bot := protocol.Client{
		URL: "ws://" + h.Address + "/bot", Hello: protocol.Hello{Name: name, Slots: 4}, Margin: 20 * time.Millisecond, Reconnect: time.Minute,
		New: func(s protocol.Start) (players.Player, error) {
			return choosing{spec.New(s.Setup()), func() {
				if moves.Add(1) == 100 {
					h.signal(t, syscall.SIGSTOP)
					<-time.After(100 * time.Millisecond) // it has stopped long before: the answer comes while it stands still
					close(done)
				}
			}}, nil
		},
	}
	ctx, leave := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { _ = bot.Run(ctx) }) // until it leaves
	t.Cleanup(func() {
		leave()
		running.Wait()
	})
	return done
}

// choosing is a player that calls first before it chooses.
type choosing struct {
	players.Player
	first func()
}

func (c choosing) Choose(ctx context.Context, p rules.Position) (rules.Move, error) {
	c.first()
	return c.Player.Choose(ctx, p)
}

// stood returns the time that an arena has stood still by its own account: on a loaded machine, longer than a test
// stops it.
func stood(t *testing.T, scraper string) time.Duration {
	t.Helper()
	const name = "\nversus2048_stall_seconds_total "
	_, rest, _ := strings.Cut(fetch(t, "http://"+scraper+"/metrics"), name)
	var seconds float64
	if _, err := fmt.Sscan(rest, &seconds); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return time.Duration(seconds * float64(time.Second))
}

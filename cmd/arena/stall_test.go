//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/rules/record"
	"versus2048/tournament"
)

// stallVariable sets for how long the test stops the arena: 20s in make stall.
const stallVariable = "VERSUS2048_STALL"

// An arena that is stopped by a signal charges nobody for that time: not the bots in their own
// processes, nor those that it plays with itself.
func TestStoppedArenaBlamesNobody(t *testing.T) {
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
			h.bot(t, "ann", "mcts:playouts=300", "--slots", "4", "--quiet", "--margin", "20ms")
			h.bot(t, "bob", "mcts:playouts=300,c=1", "--slots", "4", "--quiet", "--margin", "20ms")
			h.await(t, 2)
			bots := []string{"ann", "bob"}
			if inProcess {
				bots = []string{"a=mcts:playouts=300", "b=mcts:playouts=300,c=1"}
			}
			event, err := h.client.Start(t.Context(), tournament.Event{
				Bots: bots, Matches: 15, Concurrency: 2, Size: rules.Size{Width: 3, Height: 3}, InProcess: inProcess,
				Clock: tournament.Clock{PerMove: 5 * time.Second, Base: time.Minute, Increment: 20 * time.Millisecond},
			})
			if err != nil {
				t.Fatal(err)
			}
			h.whilePlaying(t, event, func() { h.stopFor(t, stall) })
			last, err := h.client.Follow(t.Context(), event, func(arena.Progress) {})
			if err != nil || last.State != arena.Finished {
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
	_, err := h.client.Follow(t.Context(), event, func(p arena.Progress) {
		if !done && p.Done >= 1 {
			done = true
			do()
		}
	})
	if err != nil || !done {
		t.Fatalf("following event %d: done %v, error %v", event, done, err)
	}
}

// stopFor stops the arena's process with a signal for some time.
func (h *host) stopFor(t *testing.T, d time.Duration) {
	t.Helper()
	for _, signal := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		if err := h.server.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if signal == syscall.SIGSTOP {
			<-time.After(d)
		}
	}
}

// stood returns for how long an arena has stood still by its own account: on a loaded machine, longer than a test stops it.
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

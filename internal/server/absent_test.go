package server_test

import (
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/tournament"
)

// A bot that is away for longer than the grace loses the game that it plays. Its other games are put off until it is
// back, as the event says, or until no others are left.
func TestAbsentBotOverSockets(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		absent        time.Duration
		back, leaves  bool
		faults, games int
	}{
		"back":         {time.Hour, true, false, 1, 12},
		"gone":         {0, false, false, 8, 12},
		"away for 1ms": {time.Millisecond, false, false, 8, 12},
		"sent away":    {time.Hour, false, true, 2, 6}, // one match of ann has begun
	} {
		t.Run(name, func(t *testing.T) {
			store := newStore()
			c := serve(t, store, func(config *server.Config) { config.Grace = 50 * time.Millisecond })
			ann := connectWire(t, c, &wireBot{name: "ann", slots: 1, silent: true}, nil)
			for _, name := range []string{"bob", "cyd"} {
				connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
			}
			e := between("one", 2, "ann", "bob", "cyd")
			e.Settings.Absent = tournament.Millis(test.absent)
			event := startAll(t, c, e)[0]
			until(t, c, event, func(p server.Progress) bool {
				return slices.ContainsFunc(p.Games, func(g server.GameProgress) bool { return g.Attacker == "ann" || g.Defender == "ann" })
			})
			ann.disconnect()
			if test.back || test.leaves {
				p := until(t, c, event, func(p server.Progress) bool { return p.Done == 1+4 && p.Playing == 0 })
				if len(p.Away) != 1 || p.Away[0].Left != 0 {
					t.Errorf("away are %v", p.Away)
				}
			}
			switch {
			case test.back:
				connectWire(t, c, &wireBot{name: "ann", slots: 1}, nil)
			case test.leaves:
				if err := c.Leave(t.Context(), event, "ann"); err != nil {
					t.Fatal(err)
				}
			}
			last := ended(t, c, event)
			if last.State != server.Finished || last.Done != test.games || last.Total != test.games || last.Faults == nil || last.Faults.Games != test.faults {
				t.Errorf("the event is %s after %d games with the faults %+v, want %d", last.State, last.Done, last.Faults, test.faults)
			}
			if e, err := store.Event(t.Context(), event); err != nil || e.Present("ann") == test.leaves {
				t.Errorf("ann has left: %v, error %v", e.Memberships, err)
			}
		})
	}
}

// A bot whose connection is dead loses one game by its clock. The arena has not noticed the end of the connection yet,
// and puts off the bot's other games until it hears of it.
func TestDeadConnectionLosesOneGame(t *testing.T) {
	t.Parallel()
	c := serve(t, newStore(), nil)
	dead := make(chan struct{})
	connectWire(t, c, &wireBot{name: "ann", slots: 1, dead: dead}, nil)
	for _, name := range []string{"bob", "cyd"} {
		connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
	}
	e := between("one", 2, "ann", "bob", "cyd")
	e.Clock.PerMove = 2 * time.Second // less is short for the others on a busy machine
	event := startAll(t, c, e)[0]
	p := until(t, c, event, func(p server.Progress) bool { return p.Done == 1+4 && p.Playing == 0 })
	if p.Faults == nil || p.Faults.Games != 1 || len(p.Away) != 0 {
		t.Errorf("the faults are %+v, away are %v", p.Faults, p.Away)
	}
	close(dead)
	if last := ended(t, c, event); last.State != server.Finished || last.Done != 12 || last.Faults.Games != 1 {
		t.Errorf("the event is %s after %d games with the faults %+v", last.State, last.Done, last.Faults)
	}
}

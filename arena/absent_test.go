package arena_test

import (
	"slices"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/tournament"
)

// A bot that is away for longer than the grace loses the game that it plays. Its other games are put off until it is back,
// as the event says, or until no others are left.
func TestAbsentBotOverSockets(t *testing.T) {
	for name, test := range map[string]struct {
		absent time.Duration
		back   bool
		faults int
	}{
		"back":         {time.Hour, true, 1},
		"gone":         {0, false, 8},
		"away for 1ms": {time.Millisecond, false, 8},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, newStore(), func(config *arena.Config) { config.Grace = 50 * time.Millisecond })
			ann := connectWire(t, c, &wireBot{name: "ann", slots: 1, silent: true}, nil)
			for _, name := range []string{"bob", "cyd"} {
				connectWire(t, c, &wireBot{name: name, slots: 1}, nil)
			}
			e := between("one", 2, "ann", "bob", "cyd")
			e.Settings.Absent = tournament.Millis(test.absent)
			event := startAll(t, c, e)[0]
			until(t, c, event, func(p arena.Progress) bool {
				return slices.ContainsFunc(p.Games, func(g arena.GameProgress) bool { return g.Attacker == "ann" || g.Defender == "ann" })
			})
			ann.disconnect()
			if test.back {
				p := until(t, c, event, func(p arena.Progress) bool { return p.Done == 1+4 && p.Playing == 0 })
				if len(p.Away) != 1 || p.Away[0].Left != 0 {
					t.Errorf("away are %v", p.Away)
				}
				connectWire(t, c, &wireBot{name: "ann", slots: 1}, nil)
			}
			last := ended(t, c, event)
			if last.State != arena.Finished || last.Done != 12 || last.Faults == nil || last.Faults.Games != test.faults {
				t.Errorf("the event is %s after %d games with the faults %+v, want %d", last.State, last.Done, last.Faults, test.faults)
			}
		})
	}
}

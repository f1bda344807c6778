package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

// Bots that are killed at random moments and started again find their games: none is lost, and each
// goes on as if nothing had happened.
func TestKilledBotsComeBack(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	k := botKiller{host: h, bots: map[string]*testkit.Program{}, random: rand.New(rand.NewPCG(botKillsSeed, 9))}
	for name := range killSpecs {
		k.start(t, name)
	}
	n, waited := howOften(t), 0
	// A kill at the end of an event makes no game wait: then there are more.
	for round := uint64(0); k.kills < n || waited < n/2 && k.kills < 5*n; round++ {
		h.await(t, len(killSpecs))
		setup := killSetup(round)
		setup.Matches = 20
		event, err := h.client.Start(t.Context(), setup)
		if err != nil {
			t.Fatal(err)
		}
		k.killDuring(t, event, max(n, k.kills+1))
		games := h.games(t, event)
		compareGames(t, expectedGames(t, inProcess(setup)), games)
		h.verify(t, event, len(games))
		for _, r := range games {
			for _, p := range r.Pauses {
				if p.Away > 0 {
					waited++
				}
			}
		}
	}
	t.Logf("%d kills (seed %d) while an event was played; %d times a game waited for a bot", k.kills, botKillsSeed, waited)
	if waited < n/2 {
		t.Errorf("a game waited for a bot only %d times after %d kills", waited, k.kills)
	}
}

const botKillsSeed = 2050

// botKiller kills bots and starts them again.
type botKiller struct {
	*host
	bots   map[string]*testkit.Program
	random *rand.Rand
	kills  int
}

func (k *botKiller) start(t *testing.T, name string) {
	t.Helper()
	k.bots[name] = k.bot(t, name, killSpecs[name], "--slots", "4", "--quiet")
}

// killDuring kills one bot after the other until the event is over, or that many have been killed.
func (k *botKiller) killDuring(t *testing.T, event int64, most int) {
	t.Helper()
	over := make(chan struct{})
	var last server.Progress
	var err error
	go func() {
		defer close(over)
		last, err = k.client.Follow(t.Context(), event, func(server.Progress) {})
	}()
	for playing := true; playing && k.kills < most; {
		select {
		case <-over:
			playing = false
		case <-time.After(time.Duration(k.random.IntN(300)) * time.Millisecond):
			k.killOne(t)
		}
	}
	<-over
	if err != nil || last.State != server.Finished || last.Faults != nil {
		t.Fatalf("event %d is %s: %s %v, faults %+v", event, last.State, last.Message, err, last.Faults)
	}
}

// killOne kills a bot and returns when it is back.
func (k *botKiller) killOne(t *testing.T) {
	t.Helper()
	names := slices.Sorted(maps.Keys(k.bots))
	name := names[k.random.IntN(len(names))]
	k.bots[name].Kill()
	k.kills++
	k.start(t, name)
	k.await(t, len(k.bots))
}

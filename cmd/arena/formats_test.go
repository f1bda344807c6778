package main

import (
	"fmt"
	"reflect"
	"testing"

	"versus2048/arena"
	"versus2048/rules"
	"versus2048/tournament"
	"versus2048/tournament/format"
)

// formatSetup is an event of eight bots inside the arena's process, or of two
// for an sprt.
func formatSetup(kind string) tournament.Event {
	search := fmt.Sprintf("mcts:playouts=%d", slowPlayouts)
	s := tournament.Event{
		Size: rules.Full, Seed: 3, Concurrency: 3, InProcess: true, Matches: 1,
		Bots: []string{"a=" + search, "b=" + search + ",c=1", "c=greedy", "d=random", "e=" + search + ",c=100", "f=greedy", "g=random", "h=" + search + ",c=300"},
	}
	s.Settings.Plan.Kind = kind
	switch kind {
	case format.Gauntlet, format.Knockout:
		s.Matches = 3
	case format.Ladder:
		s.Matches = 5
	case format.SPRT:
		s.Bots, s.Matches = s.Bots[:2], 0
		s.Settings.Plan.SPRT.Elo1 = 100
	}
	return s
}

// An arena that is killed in the middle of an event plays it on, when it is back,
// to the standings to which it comes undisturbed.
func TestKilledFormatsResume(t *testing.T) {
	h := newHost(t)
	for _, kind := range format.Names() {
		h.serve(t)
		h.await(t, 0)
		event, err := h.client.Start(t.Context(), formatSetup(kind))
		if err != nil {
			t.Fatal(err)
		}
		killed := false
		_, err = h.client.Follow(t.Context(), event, func(p arena.Progress) {
			if p.Done >= 2 && !killed && !p.State.Final() {
				h.server.kill()
				killed = true
			}
		})
		if !killed || err == nil {
			t.Fatalf("%s was over before the arena could be killed: %v", kind, err)
		}
		h.serve(t)
		h.await(t, 0)
		if err := h.client.Resume(t.Context(), event); err != nil {
			t.Fatal(err)
		}
		got := h.standings(t, event)
		if event, err = h.client.Start(t.Context(), formatSetup(kind)); err != nil {
			t.Fatal(err)
		}
		if want := h.standings(t, event); !reflect.DeepEqual(got, want) || len(want.Places) < 2 {
			t.Errorf("%s: standings\n%+v\nwant\n%+v", kind, got, want)
		}
		h.server.kill()
	}
}

// standings follows an event to its end and returns its standings.
func (h *host) standings(t *testing.T, event int64) tournament.Standings {
	t.Helper()
	last, err := h.client.Follow(t.Context(), event, func(arena.Progress) {})
	if err != nil || last.State != arena.Finished {
		t.Fatalf("event %d is %s: %s %v", event, last.State, last.Message, err)
	}
	s, err := h.client.Standings(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

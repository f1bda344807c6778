package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// An open ladder of real processes: bots join, are killed, come back and leave, and the arena is killed and
// started again. Nobody loses more than the match that it was playing.
func TestOpenLadderOfProcesses(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t, "--grace", "500ms")
	e := tournament.Event{Name: "ladder", Size: rules.Size{Width: 3, Height: 3}, Concurrency: 8, Clock: tournament.Clock{PerMove: 5 * time.Second}}
	e.Settings.Plan = tournament.Plan{Kind: tournament.Ladder, Open: tournament.OpenAll}
	h.bot(t, "ann", "random", "--slots", "2", "--quiet")
	id, err := h.client.Start(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	h.bot(t, "bob", "greedy", "--quiet")
	cyd := h.bot(t, "cyd", "random:seed=3", "--slots", "1", "--quiet")
	played := h.awaitLadder(t, id, nil, "ann", "bob", "cyd")

	cyd.Kill() // for longer than the grace
	h.await(t, 2)
	played = h.awaitLadder(t, id, played, "ann", "bob")
	cyd = h.bot(t, "cyd", "random:seed=3", "--slots", "1", "--quiet")
	played = h.awaitLadder(t, id, played, "cyd")
	faults := h.faults(t, id)
	if faults > 2 {
		t.Errorf("%d games were lost by a fault, want those of one match at most", faults)
	}

	h.server.Kill()
	cyd.Kill()
	h.serve(t, "--grace", "500ms")
	h.bot(t, "dan", "greedy", "--quiet")
	h.await(t, 3)
	if err := h.client.Resume(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	h.awaitLadder(t, id, played, "ann", "bob", "dan")
	if after := h.faults(t, id); after > faults+2 {
		t.Errorf("%d games were lost by a fault after the arena was killed", after-faults)
	}
	if err := h.client.Stop(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := run(t, "arena", "verify", "--db", h.db); code != 0 {
		t.Errorf("verify exits with %d: %s%s", code, stdout, stderr)
	}
}

// awaitLadder waits until each of these bots has played some more matches of a ladder, and returns how many
// each bot has played.
func (h *host) awaitLadder(t *testing.T, event int64, before map[string]int, names ...string) (played map[string]int) {
	t.Helper()
	testkit.Await(t, fmt.Sprintf("more matches of %v than in %v", names, before), func() bool {
		standings, err := h.client.Standings(t.Context(), event)
		if err != nil {
			return false
		}
		played = map[string]int{}
		for _, place := range standings.Places {
			played[place.Name] = place.Played
		}
		return !slices.ContainsFunc(names, func(name string) bool { return played[name] < before[name]+3 })
	})
	return played
}

// faults counts the games of an event that were lost by a fault.
func (h *host) faults(t *testing.T, event int64) int {
	t.Helper()
	status, err := h.client.Status(t.Context(), event)
	if err != nil {
		t.Fatal(err)
	}
	if status.Faults == nil {
		return 0
	}
	return status.Faults.Games
}

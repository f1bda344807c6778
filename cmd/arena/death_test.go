package main

import (
	"log/slog"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"versus2048/arena"
	"versus2048/results"
	"versus2048/rules"
	"versus2048/tournament"
)

// A started bot is the arena's own: its death is no fault of the bot's, and
// costs no game.
func TestAStartedBotsDeathStopsTheEvent(t *testing.T) {
	db := t.TempDir() + "/arena.db"
	store, err := results.Open(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	started := map[string]*exec.Cmd{}
	config := arenaConfig(store, slog.New(slog.DiscardHandler), 10*time.Second)
	config.Launch = func(l arena.Launch) *exec.Cmd {
		mu.Lock()
		defer mu.Unlock()
		c := exec.Command("bot", "run", "--url", l.URL, "--name", l.Name, "--slots", "4", "--token", l.Token, "--quiet", l.Spec)
		started[l.Name] = c
		return c
	}
	served := make(chan error, 1)
	go func() { served <- arena.New(config).Serve(t.Context(), listener) }()
	t.Cleanup(func() { <-served })
	h := &host{db: db, client: &arena.Client{URL: "http://" + listener.Addr().String()}}

	setup := tournament.Event{Bots: []string{"random", "greedy"}, Size: rules.Full, Matches: 40, Concurrency: 4}
	event, err := h.client.Start(t.Context(), setup)
	if err != nil {
		t.Fatal(err)
	}
	killed := false
	last, err := h.client.Follow(t.Context(), event, func(p arena.Progress) {
		if p.Done == 0 || killed {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		killed = true
		if err := started["greedy"].Process.Kill(); err != nil {
			t.Error(err)
		}
	})
	if err != nil || last.State != arena.Failed || !strings.Contains(last.Message, `bot "greedy": its process ended`) {
		t.Fatalf("the event is %s: %s %v", last.State, last.Message, err)
	}
	for name, r := range h.games(t, event) {
		if r.Ending.Fault() {
			t.Errorf("match %d game %d ended by %s: %s", name.match, name.leg, r.Ending, r.Detail)
		}
	}
	if err := h.client.Resume(t.Context(), event); err != nil {
		t.Fatal(err)
	}
	if last, err = h.client.Follow(t.Context(), event, func(arena.Progress) {}); err != nil || last.State != arena.Finished {
		t.Fatalf("after the resume the event is %s: %s %v", last.State, last.Message, err)
	}
	h.verify(t, event, 80)
}

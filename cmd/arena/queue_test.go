package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"versus2048/internal/server"
	"versus2048/internal/testkit"
)

// after waits until an event is as wanted, and returns its progress. The arena may not know it yet.
func (h *host) after(t *testing.T, event int64, wanted func(server.Progress) bool) server.Progress {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for {
		p, err := h.client.Status(ctx, event)
		if err == nil && wanted(p) {
			return p
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			t.Fatalf("event %d is %s %s, with %d games: %v", event, p.State, p.Waits(), p.Done, err)
		}
	}
}

// An arena that is killed resumes its events, keeps its queue and its schedule, and does not resume the events that an
// operator has stopped.
func TestKilledArenaKeepsItsAgenda(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	h.bot(t, "ann", "random:seed=1", "--slots", "1")
	h.bot(t, "bob", "greedy:seed=2", "--slots", "1")
	h.await(t, 2)
	on := func(args ...string) []string {
		return append(append([]string{"event"}, args...), "--server", h.client.URL)
	}
	run := func(want string, args ...string) {
		t.Helper()
		arenaCommand(t, want, on(append([]string{"run", "--size", "2x2", "--matches", "1"}, args...)...)...)
	}
	run("event 1", "--queue", "--format", "ladder", "--matches", "0", "--bot", "ann", "--bot", "bob")
	h.after(t, 1, func(p server.Progress) bool { return p.Done > 2 })
	run("event 2 is queued: not connected: cid; playing elsewhere: bob", "--wait", "24h", "--bot", "bob", "--bot", "cid")
	run("event 3 is scheduled: it begins at 2126-12-01 20:00:00", "--start-at", "2126-12-01 20:00", "--bot", "random", "--bot", "greedy")
	run("number 1 of a series, every day@20:00", "--start-at", "2126-12-01 20:00", "--every", "day@20:00", "--times", "7", "--bot", "random", "--bot", "greedy")
	run("event 5 is queued", "--queue", "--bot", "cid", "--bot", "dan")
	arenaCommand(t, "event 5 is canceled", on("cancel", "5")...)
	arenaCommand(t, "\n4,scheduled,2126-12-01 20:00:00", on("queue", "--format", "csv")...)

	h.server.Kill()
	h.serve(t)
	h.await(t, 2)
	resumed := h.after(t, 1, func(p server.Progress) bool { return p.Played > 2 })
	if resumed.Done <= resumed.Played {
		t.Errorf("event 1 has begun anew: %+v", resumed)
	}
	if p := h.after(t, 2, func(p server.Progress) bool { return p.State == server.Queued }); p.Queue.Until.IsZero() {
		t.Errorf("event 2 waits for ever: %+v", p.Queue)
	}
	for event, nth := range map[int64]int{3: 0, 4: 1} {
		if p := h.after(t, event, func(p server.Progress) bool { return p.State == server.Scheduled }); p.Queue.Begin.Year() != 2126 || p.Queue.Nth != nth {
			t.Errorf("event %d is scheduled for %+v", event, p.Queue)
		}
	}
	arenaCommand(t, "unfinished", on("status", "5")...)
	h.bot(t, "cid", "random:seed=3", "--slots", "1")
	h.after(t, 2, func(p server.Progress) bool {
		return p.State == server.Queued && p.Queue.Text() == "playing elsewhere: bob"
	})
	arenaCommand(t, "has stopped", on("stop", "1")...)
	h.after(t, 2, func(p server.Progress) bool { return p.State == server.Finished })
	arenaCommand(t, "it begins at 2126-12-02 20:00:00", on("cancel", "4", "--skip")...)
	arenaCommand(t, "event 5 is queued: not connected: dan", on("resume", "5", "--queue")...)
	arenaCommand(t, " games, ", "verify", "--db", h.db)
}

// An event of a private arena is not resumed by another arena.
func TestPrivateEventsAreNotResumed(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	setup := formatSetup("ladder")
	setup.Matches = 0
	if _, err := h.client.Start(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	h.after(t, 1, func(p server.Progress) bool { return p.Done > 0 })
	h.server.Kill()
	alone := startProcess(t, "arena", "event", "resume", "1", "--db", h.db)
	alone.AwaitOutput(t, "playing")
	alone.Interrupt(t)
	_ = alone.Wait() // it says that it was interrupted
	h.serve(t)
	if p, err := h.client.Status(t.Context(), 1); err != nil || p.State != server.Unfinished {
		t.Errorf("the event is %s, error %v", p.State, err)
	}
	if events, err := h.client.Events(t.Context()); err != nil || len(events) > 0 {
		t.Errorf("the arena plays %+v, error %v", events, err)
	}
}

func TestBookingFlagsNeedARunningArena(t *testing.T) {
	t.Parallel()
	bots := []string{"event", "run", "--bot", "random", "--bot", "greedy"}
	for want, flags := range map[string][]string{
		"need --server":            {"--queue"},
		"only a running arena":     {"--start-at", "20:00"},
		"--db does not go with":    {"--queue", "--server", "http://127.0.0.1:1", "--db", "a.db"},
		"--start-timeout does not": {"--queue", "--server", "http://127.0.0.1:1", "--start-timeout", "5s"},
		"want a time such as":      {"--every", "often", "--server", "http://127.0.0.1:1"},
		"no arena answers":         {"--wait", "1h", "--server", "http://127.0.0.1:1"},
		"--bot NAME=exec:COMMAND ": {"--queue", "--server", "http://127.0.0.1:1", "--bot", "me=exec:true"},
	} {
		if stdout, stderr, code := run(t, "arena", append(bots, flags...)...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v exits with %d, want %q: %s%s", flags, code, want, stdout, stderr)
		}
	}
	if _, stderr, code := run(t, "arena", "event", "resume", "1", "--queue"); code != 2 || !strings.Contains(stderr, "need --server") {
		t.Errorf("resume --queue exits with %d: %s", code, stderr)
	}
	program := []string{"event", "resume", "1", "--queue", "--server", "http://127.0.0.1:1", "--bot", "me=exec:true"}
	if _, stderr, code := run(t, "arena", program...); code != 2 || !strings.Contains(stderr, "--bot NAME=exec:COMMAND ") {
		t.Errorf("resume --queue with a program exits with %d: %s", code, stderr)
	}
}

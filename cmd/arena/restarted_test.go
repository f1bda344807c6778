package main

import (
	"strings"
	"testing"

	"versus2048/internal/server"
	"versus2048/rules"
	"versus2048/tournament"
)

// An arena that is started again without the command of a program says that the bot was one, and how to name it.
func TestRestartWithoutAProgram(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t, "--bot", "lua=exec:bot stdio greedy")
	event, err := h.client.Start(t.Context(), tournament.Event{
		Bots: []string{"lua", "ann=random"}, Size: rules.Size{Width: 3, Height: 3}, Matches: 100_000, Concurrency: 1, InProcess: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	h.after(t, event, func(p server.Progress) bool { return p.Done > 0 })
	h.server.Interrupt(t)
	if err := h.server.Wait(); err != nil {
		t.Fatal(err)
	}
	const origin, again = `"lua" a program of the arena's host`, "--bot 'lua=exec:COMMAND'"
	arenaCommand(t, origin, "event", "status", "1", "--db", h.db)
	if _, problem, code := run(t, "arena", "event", "resume", "1", "--db", h.db); code != 2 || !strings.Contains(problem, again) || strings.Contains(problem, "by themselves") {
		t.Errorf("resume exits with %d and says %s", code, problem)
	}
	h.serve(t)
	h.after(t, event, func(p server.Progress) bool { return strings.Contains(p.Waits(), again) })
	arenaCommand(t, origin, "event", "status", "1", "--server", h.client.URL)
}

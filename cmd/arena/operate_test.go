package main

import (
	"encoding/json"
	"strings"
	"testing"

	"versus2048/internal/server"
)

func TestPauseStatusResumeStop(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	setup := formatSetup("ladder")
	setup.Name, setup.Matches = "the ladder", 0
	event, err := h.client.Start(t.Context(), setup)
	if err != nil || event != 1 {
		t.Fatal(event, err)
	}
	h.after(t, 1, func(p server.Progress) bool { return p.State == server.Running })
	where := []string{"--server", h.client.URL}
	on := func(command ...string) []string { return append(append([]string{"event"}, command...), where...) }
	arenaCommand(t, "event 1", on("status")...)
	arenaCommand(t, "event 1 is paused", on("pause", "1")...)
	arenaCommand(t, " playing, paused, ", on("status", "1")...)
	var status server.Progress
	if err := json.Unmarshal([]byte(arenaCommand(t, "{", on("pause", "1", "--json")...)), &status); err != nil || status.State != server.Paused || status.Standings == nil {
		t.Errorf("status %+v, error %v", status, err)
	}
	arenaCommand(t, "paused", on("list")...)
	arenaCommand(t, "\n1,paused,", on("list", "--format", "csv")...)
	arenaCommand(t, "| place | bot | played | rating |", on("status", "--format", "markdown")...)
	arenaCommand(t, "unfinished", "event", "list", "--db", h.db)
	arenaCommand(t, "ladder:", "event", "status", "--db", h.db)
	if err := h.client.Resume(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	arenaCommand(t, `"state": "running"`, on("status", "1", "--json")...)
	arenaCommand(t, "has stopped", on("stop", "1")...)
	arenaCommand(t, "0 playing, interrupted, ", on("status")...)
	for want, args := range map[string][]string{
		"it is interrupted":      on("pause", "1"),
		"not being played":       on("pause", "2"),
		"--db and --server":      on("status", "1", "--db", h.db),
		"there is no event 9":    {"event", "status", "9", "--db", h.db},
		"EVENT \"x\": want its ": on("status", "x"),
	} {
		if stdout, stderr, code := run(t, "arena", args...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v exits with %d, want %q: %s%s", args, code, want, stdout, stderr)
		}
	}
}

// arenaCommand runs a command that must succeed and print the wanted text.
func arenaCommand(t *testing.T, want string, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(t, "arena", args...)
	if code != 0 || !strings.Contains(stdout, want) {
		t.Fatalf("arena %s exits with %d, want %q: %s%s", strings.Join(args, " "), code, want, stdout, stderr)
	}
	return stdout
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"versus2048/arena"
)

// arenaCommand runs a command that must do as told and print a text.
func arenaCommand(t *testing.T, want string, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(t, "arena", args...)
	if code != 0 || !strings.Contains(stdout, want) {
		t.Fatalf("arena %s exits with %d, want %q: %s%s", strings.Join(args, " "), code, want, stdout, stderr)
	}
	return stdout
}

func TestPauseStatusResumeStop(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.await(t, 0)
	setup := formatSetup("ladder")
	setup.Name, setup.Matches = "the ladder", 0
	event, err := h.client.Start(t.Context(), setup)
	if err != nil || event != 1 {
		t.Fatal(event, err)
	}
	server := []string{"--server", h.client.URL}
	on := func(command ...string) []string { return append(append([]string{"tournament"}, command...), server...) }
	arenaCommand(t, "event 1", on("status")...)
	arenaCommand(t, "event 1 is paused", on("pause", "1")...)
	arenaCommand(t, " playing, paused, ", on("status", "1")...)
	var status arena.Progress
	if err := json.Unmarshal([]byte(arenaCommand(t, "{", on("pause", "1", "--json")...)), &status); err != nil || status.State != arena.Paused || status.Standings == nil {
		t.Errorf("status %+v, error %v", status, err)
	}
	arenaCommand(t, "paused", on("list")...)
	arenaCommand(t, "unfinished", "tournament", "list", "--db", h.db)
	arenaCommand(t, "ladder:", "tournament", "status", "--db", h.db)
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
		"there is no event 9":    {"tournament", "status", "9", "--db", h.db},
		"EVENT \"x\": want its ": on("status", "x"),
	} {
		if stdout, stderr, code := run(t, "arena", args...); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%v exits with %d, want %q: %s%s", args, code, want, stdout, stderr)
		}
	}
}

// newsIn are the lines of an events file.
func newsIn(t *testing.T, path string) (all []arena.News) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var n arena.News
		if err := json.Unmarshal(lines.Bytes(), &n); err == nil {
			all = append(all, n)
		} else if lines.Text() != "torn" {
			t.Errorf("line %q: %v", lines.Text(), err)
		}
	}
	return all
}

// An events file has all that happens, with an arena of its own and with one that
// runs, and what was in it before.
func TestEventsFile(t *testing.T) {
	h := newHost(t)
	h.serve(t)
	h.await(t, 0)
	path := t.TempDir() + "/events.jsonl"
	if err := os.WriteFile(path, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, where := range [][]string{{"--db", t.TempDir() + "/own.db"}, {"--server", h.client.URL}} {
		report := arenaCommand(t, "Results of a vs b (", append([]string{
			"tournament", "run", "--events", path, "--in-process", "--bot", "a=random", "--bot", "b=greedy",
			"--format", "sprt", "--sprt", "elo0=0,elo1=300,model=logistic", "--matches", "8", "--size", "2x3",
		}, where...)...)
		if !strings.Contains(report, "\nLLR: ") || !strings.Contains(report, "\nElo: ") {
			t.Errorf("report\n%s", report)
		}
		all := newsIn(t, path)
		counts := map[arena.NewsType]int{}
		for _, n := range all {
			counts[n.Type]++
		}
		if counts[arena.EventStarted] != i+1 || counts[arena.EventFinished] != i+1 || counts[arena.GameStarted] == 0 || counts[arena.LLRChanged] < i+1 ||
			counts[arena.GameFinished] != counts[arena.GameStarted] || 2*counts[arena.MatchFinished] != counts[arena.GameFinished] {
			t.Errorf("run %d: news by type %v", i+1, counts)
		}
		if last := all[len(all)-1]; last.Type != arena.EventFinished || last.Progress.State != arena.Finished {
			t.Errorf("the last line is %+v", last)
		}
	}
	if _, stderr, code := run(t, "arena", "tournament", "run", "--events", t.TempDir(), "--db", h.db+".none", "--bot", "a=random", "--bot", "b=greedy"); code != 1 || !strings.Contains(stderr, "the file of --events") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}

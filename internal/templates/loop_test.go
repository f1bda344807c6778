//go:build languages

package templates_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// version is a line of the log of examples/agent-loop.
type version struct {
	Version, Parent, State, Problem, Verdict string
	Codes                                    []string
	Score                                    float64
	Kept                                     bool
	Variants                                 int
	Seed                                     int64
	Elo                                      struct{ Low, High *float64 }
}

// startLoop runs examples/agent-loop with the programs of this tree on the PATH, and returns its output.
func startLoop(t *testing.T, folder string, more ...string) (output string, err error) {
	t.Helper()
	c := command(t, folder, "python3 loop.py", more...)
	c.Env = append(os.Environ(), "PATH="+folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	t.Logf("%s\n%s", out, stderr.String())
	return string(out) + stderr.String(), err
}

// loopFolder returns a folder with the loop, the scripted agent and the programs.
func loopFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	build(t, ".", "go build -o "+folder+" versus2048/cmd/bot versus2048/cmd/arena")
	for name, from := range map[string]string{"loop.py": "../../examples/agent-loop/loop.py", "agent.py": "testdata/agent.py"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(testkit.ReadDocument(t, from)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// The loop of examples/agent-loop refuses a broken variant and a worse one, keeps the better one, goes on after an
// agent that fails, and finds by a tournament that the kept version is stronger.
func TestAgentLoop(t *testing.T) {
	folder := loopFolder(t)
	args := []string{
		"--agent", "python3 " + filepath.Join(folder, "agent.py"), "--size", "3x3", "--matches", "10", "--final-matches", "12", "--steps", "5",
		"--time-per-move", "1m", "--only", "handshake.ready", "--only", "moves.defender", "lab",
	}
	if out, err := startLoop(t, folder, args...); err != nil || !strings.Contains(out, "\nVariants tried: 5.") || !strings.Contains(out, "v3 is stronger than v0") {
		t.Fatalf("error %v", err)
	}
	var log []version
	for line := range strings.Lines(testkit.ReadDocument(t, filepath.Join(folder, "lab", "log.jsonl"))) {
		var v version
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		log = append(log, v)
	}
	var story []string
	for _, v := range log {
		story = append(story, fmt.Sprintf("%s of %q: %s, kept %t", v.Version, v.Parent, v.State, v.Kept))
	}
	want := []string{
		`v0 of "": tried, kept true`, `v1 of "v0": broken, kept false`, `v2 of "v0": tried, kept false`, `v3 of "v0": tried, kept true`,
		`v4 of "v3": agent failed, kept false`, `v5 of "v3": unchanged, kept false`, `v3 of "": final, kept false`,
	}
	if !slices.Equal(story, want) {
		t.Fatalf("the log is %q", story)
	}
	if !slices.Equal(log[1].Codes, []string{"handshake.ready"}) || !strings.Contains(log[1].Problem, "SyntaxError") {
		t.Errorf("the broken version: %+v", log[1])
	}
	if !(log[2].Score < log[0].Score && log[0].Score < log[3].Score) {
		t.Errorf("scores %v, %v, %v", log[2].Score, log[0].Score, log[3].Score)
	}
	final := log[6]
	if final.Variants != 5 || final.Verdict != "stronger" || final.Elo.Low == nil || *final.Elo.Low <= 0 || final.Seed == log[0].Seed {
		t.Errorf("the tournament: %+v", final)
	}
	if out, err := startLoop(t, folder, args...); err == nil || out != "loop.py: lab is not empty: name a new folder\n" {
		t.Errorf("the same folder again: %q, error %v", out, err)
	}
}

// The loop refuses wrong options in one sentence.
func TestAgentLoopRefuses(t *testing.T) {
	folder := loopFolder(t)
	for want, args := range map[string][]string{
		"the following arguments are required: --agent":   {"lab1"},
		"argument --steps: want a whole number from 1":    {"--agent", "true", "--steps", "0", "lab2"},
		`there is no template for "cobol"`:                {"--agent", "true", "--language", "cobol", "lab3"},
		`board size "9x9"`:                                {"--agent", "true", "--size", "9x9", "lab4"},
		"there is no check nothing":                       {"--agent", "true", "--only", "nothing", "lab5"},
		`unknown bot "gredy" (did you mean greedy?)`:      {"--agent", "true", "--against", "gredy", "--only", "handshake.ready", "lab6"},
		"--agent-minutes: want a number of minutes above": {"--agent", "true", "--agent-minutes", "-1", "lab7"},
	} {
		out, err := startLoop(t, folder, args...)
		if err == nil || !strings.HasPrefix(out, "loop.py: ") || !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
			t.Errorf("%q: %q, error %v", args, out, err)
		}
	}
}

// A step that takes too long ends with all that the agent has started. The loop stops after --patience steps in vain.
func TestAgentLoopEndsAgents(t *testing.T) {
	folder := loopFolder(t)
	out, err := startLoop(t, folder, "--agent", "sleep 1000 & sleep 1000", "--agent-minutes", "0.01", "--steps", "9", "--patience", "1", "--size", "2x2",
		"--matches", "1", "--final-matches", "1", "--time-per-move", "1m", "--only", "handshake.ready", "lab")
	if err != nil || !strings.Contains(out, "v1: agent failed (it took more than 0.01 minutes)") || !strings.Contains(out, "Variants tried: 1.") || !strings.Contains(out, "None was better than v0.") {
		t.Errorf("%q, error %v", out, err)
	}
}

//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"

	"versus2048/cmd/internal/cmdline"
	"versus2048/internal/testkit"
	"versus2048/rules/record"
)

// Ctrl-C on a terminal reaches every process of the command: the arena and the bots
// that it started. No bot loses a game by it.
func TestInterruptOfProcessGroupLosesNoGame(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	begun := 0
	for range 5 {
		db := t.TempDir() + "/arena.db"
		_, stderr, code := interruptedRun(t, []string{"event", "run", "--matches", "4000", "--db", db, "--bot", "random", "--bot", "greedy", "--concurrency", "4"},
			func(p *testkit.Program) error { return syscall.Kill(-p.Process.Pid, syscall.SIGINT) })
		if code != cmdline.Interrupted || !strings.Contains(stderr, "resume: arena event resume 1 --db "+db) {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		games := (&host{db: db}).games(t, 1)
		begun += len(games)
		for name, r := range games {
			if r.Ending != record.Mate && r.Ending != record.Unfinished {
				t.Fatalf("match %d game %d ended by %s: %s", name.match, name.leg, r.Ending, r.Detail)
			}
		}
	}
	if begun == 0 {
		t.Error("every interrupt came before the first game")
	}
}

// ownGroup starts the process in a process group of its own.
func ownGroup(p *testkit.Program) { p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

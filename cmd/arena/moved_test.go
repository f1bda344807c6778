package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// If the database of a tournament is deleted, or replaced by a backup, while it is played, the tournament ends as
// failed. The command that it prints plays it to its end in the database that was saved.
func TestDatabaseMovedDuringTournament(t *testing.T) {
	testkit.Long(t)
	for name, mishap := range map[string]func(db string) error{
		"deleted":  os.Remove,
		"replaced": func(db string) error { return os.Rename(db+".backup", db) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir()) // where the database is saved
			db := filepath.Join(t.TempDir(), "arena.db")
			play(t, db)
			saved, err := os.ReadFile(db)
			if err == nil {
				err = os.WriteFile(db+".backup", saved, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			_, stderr, code := interruptedRun(t, []string{
				"event", "run", "--in-process", "--bot", "random", "--bot", "greedy", "--size", "3x3", "--matches", "1500", "--db", db, "--concurrency", "2",
			}, func(*testkit.Program) error { return mishap(db) })
			if code != 1 || !strings.Contains(stderr, "failed") || strings.Contains(stderr, "finished") {
				t.Fatalf("exit code %d: %s", code, stderr)
			}
			resume := regexp.MustCompile(`(?m)^resume: arena (event resume 2 --db (.*-rescued-.*\.db))$`).FindStringSubmatch(stderr)
			if resume == nil {
				t.Fatalf("no command to resume in the saved database: %s", stderr)
			}
			if out, stderr, code := run(t, "arena", strings.Fields(resume[1])...); code != 0 {
				t.Fatalf("resuming: exit code %d: %s%s", code, out, stderr)
			}
			if out, stderr, code := run(t, "arena", "verify", "--db", resume[2]); code != 0 || !strings.HasPrefix(out, "3002 games") {
				t.Errorf("verify: exit code %d: %s%s", code, out, stderr)
			}
		})
	}
}

package main

import (
	"io"
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
			if _, _, code := run(t, "arena", "event", "run", "--in-process", "--bot", "random", "--bot", "greedy", "--size", "2x2", "--matches", "1", "--db", db); code != 0 {
				t.Fatal(code)
			}
			if err := copyTo(db+".backup", db); err != nil {
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

func copyTo(to, from string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		return err
	}
	defer target.Close()
	_, err = io.Copy(target, source)
	return err
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"versus2048/internal/testkit"
	"versus2048/rules"
	"versus2048/tournament"
)

// Backups of a playing arena are killed at many moments. No incomplete backup gets its final name, the next backup
// removes the remains of a killed one, and a complete backup has only games that the arena has, too.
func TestKilledBackups(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	h := newHost(t)
	h.serve(t)
	event, err := h.client.Start(t.Context(), tournament.Event{
		Size: rules.Size{Width: 3, Height: 3}, Seed: 1, Matches: 100_000, Concurrency: 2, InProcess: true, Search: true,
		Bots: []string{"a=random", "b=mcts:playouts=5"},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.followOn(t, event, 300*time.Millisecond)
	folder := t.TempDir()
	whole := 0
	n := howOften(t)
	for i := range n {
		file := filepath.Join(folder, fmt.Sprintf("backup-%d.db%s", i, []string{"", ".gz", ".zst"}[i%3]))
		p := startProcess(t, "arena", "backup", file, "--db", h.db, "--keep-free", "0B")
		p.KillWhen(t, func() bool { return len(workspaces(t, folder)) > 0 }, time.Duration(i)*150*time.Millisecond/time.Duration(n))
		if left := workspaces(t, folder); len(left) > 1 {
			t.Fatalf("%v are left", left)
		}
		if _, err := os.Stat(file); err != nil {
			continue
		}
		whole++
		h.wantRestored(t, event, file)
	}
	t.Logf("%d of %d backups were complete before they were killed", whole, n)
	file := filepath.Join(folder, "backup.db.zst")
	if out, problems, code := run(t, "arena", "backup", file, "--db", h.db, "--keep-free", "0B"); code != 0 {
		t.Fatalf("exit %d: %s%s", code, out, problems)
	}
	if left := workspaces(t, folder); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	h.wantRestored(t, event, file)
	if err := h.client.Stop(t.Context(), event); err != nil {
		t.Error(err)
	}
}

// workspaces returns the folders of backups in progress.
func workspaces(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), ".") {
			names = append(names, f.Name())
		}
	}
	return names
}

// wantRestored restores a backup, and compares its games with the arena's present games.
func (h *host) wantRestored(t *testing.T, event int64, file string) {
	t.Helper()
	restored := &host{db: filepath.Join(t.TempDir(), "restored.db")}
	if out, problems, code := run(t, "arena", "restore", file, "--db", restored.db, "--verify", "full"); code != 0 {
		t.Fatalf("%s: exit %d: %s%s", file, code, out, problems)
	}
	before, after := restored.games(t, event), h.games(t, event)
	if len(before) == 0 {
		t.Errorf("%s has no games", file)
	}
	compareMoves(t, before, after)
	restored.verify(t, event, finished(before))
}

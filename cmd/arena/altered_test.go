package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
)

// Every command that opens a database refuses one with a hidden trigger, or with a view in place of a table, and
// changes nothing in it.
func TestAlteredDatabaseIsRefused(t *testing.T) {
	testkit.Long(t)
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "arena.db")
	play(t, db)
	if _, stderr, code := run(t, "arena", "export", "--db", db, "1", filepath.Join(folder, "event.jsonl")); code != 0 {
		t.Fatal(stderr)
	}
	for _, a := range []struct{ statement, want string }{
		{`CREATE TRIGGER later AFTER INSERT ON events BEGIN DELETE FROM games; END`, `the trigger "later" was added: drop it with the program sqlite3`},
		{`DROP TRIGGER later; ALTER TABLE games RENAME TO hidden; CREATE VIEW games AS SELECT * FROM hidden`, `the table "hidden" was added`},
	} {
		alter(t, db, a.statement)
		before, err := os.ReadFile(db)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{
			"serve --addr 127.0.0.1:0 --db DB", "event run --bot random --bot greedy --matches 1 --in-process --db DB", "event resume --db DB 1",
			"event status --db DB 1", "games --db DB", "stats --db DB", "replay --db DB 1 --format text", "rating --db DB",
			"export --db DB 1 again.jsonl", "import --db DB event.jsonl", "verify --db DB", "prune --db DB --before 0d", "prune --db DB --before 0d --no-export --yes",
			"backup --db DB saved.db --keep-free 0B", "backup --db DB saved.db.zst --keep-free 0B", "restore DB --db new.db",
			"token new --db DB ann", "token list --db DB", "token revoke --db DB ann",
		} {
			args := strings.Fields(strings.ReplaceAll(command, "DB", db))
			for i, arg := range args {
				if strings.Contains(arg, ".jsonl") || strings.HasPrefix(arg, "saved") || arg == "new.db" {
					args[i] = filepath.Join(folder, arg)
				}
			}
			if _, stderr, code := run(t, "arena", args...); code != 1 || !strings.Contains(stderr, a.want) {
				t.Errorf("arena %s: exit code %d: %s", command, code, stderr)
			}
		}
		if after, err := os.ReadFile(db); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the file has changed (error %v)", a.statement, err)
		}
	}
}

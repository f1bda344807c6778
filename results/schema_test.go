package results

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// openers are the ways to open a database.
var openers = map[string]func(context.Context, string) (*Store, error){
	"Open": Open, "OpenTokens": OpenTokens, "OpenReader": OpenReader,
}

// other makes a database with a statement.
func other(t *testing.T, statement string) (path string) {
	path = filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// damaged returns the path of an arena's database whose list of tables is overwritten.
func damaged(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(data[100:], bytes.Repeat([]byte{0xFF}, 100)) // the first page's header is 100 bytes long
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRefusedFiles(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database, but notes\n", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	ours := fmt.Sprintf("PRAGMA application_id = %d;", applicationID)
	for _, file := range []struct {
		name, path string
		want       error
	}{
		{"text", text, ErrForeign},
		{"another program's tables", other(t, "CREATE TABLE events (id)"), ErrForeign},
		{"another program's tables with our version", other(t, "CREATE TABLE events (id); PRAGMA user_version = 1"), ErrForeign},
		{"another program's application id", other(t, "PRAGMA application_id = 1"), ErrForeign},
		{"another program's version", other(t, "PRAGMA user_version = 1"), ErrForeign},
		{"damaged", damaged(t), ErrDamaged},
		{"ours, but newer", other(t, "CREATE TABLE events (id); PRAGMA user_version = 99;"+ours), ErrNewer},
	} {
		before, err := os.ReadFile(file.path)
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range openers {
			_, err := open(t.Context(), file.path)
			if !errors.Is(err, file.want) {
				t.Errorf("%s, %s: error %v, want %v", name, file.name, err, file.want)
			}
			oneLine(t, err, file.path)
		}
		if after, err := os.ReadFile(file.path); err != nil || !bytes.Equal(before, after) {
			t.Errorf("%s: the file has changed (error %v)", file.name, err)
		}
	}
}

func TestNewerSchemaIsNamed(t *testing.T) {
	path := other(t, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = 99", applicationID))
	_, err := Open(t.Context(), path)
	if want := fmt.Sprintf("database %s: made by a newer version of the arena: its schema is 99, the newest known here is %d", path, newest(t)); err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestNoSchema(t *testing.T) {
	path := other(t, fmt.Sprintf("PRAGMA application_id = %d", applicationID)) // version 0
	_, err := OpenReader(t.Context(), path)
	if oneLine(t, err, path); err != nil && !strings.Contains(err.Error(), "arena serve") {
		t.Errorf("reading: error %q does not say what to do", err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.CreateEvent(t.Context(), duel(1)); err != nil {
		t.Error(err)
	}
}

func TestEmptyFileIsNew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// newest returns the version of the schema that this program makes.
func newest(t *testing.T) int {
	t.Helper()
	steps, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	return len(steps)
}

// Each migration is applied whole or not at all.
func TestBrokenMigration(t *testing.T) {
	s := openNew(t)
	err := s.update(t.Context(), func(tx *sql.Tx) error {
		return apply(t.Context(), tx, "CREATE TABLE extra (id INTEGER) STRICT; CREATE TABLE events (id INTEGER) STRICT", newest(t)+1)
	})
	if want := fmt.Sprintf("migration %d: ", newest(t)+1); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v: want one that begins with %q", err, want)
	}
	var version, tables int
	row := s.read.QueryRow(`SELECT user_version, (SELECT count(*) FROM sqlite_schema WHERE name = 'extra') FROM pragma_user_version`)
	if err := row.Scan(&version, &tables); err != nil || version != newest(t) || tables != 0 {
		t.Errorf("version %d with %d of its tables (error %v), want %d with none", version, tables, err, newest(t))
	}
}

// A transaction whose context ends meanwhile fails with the context's error.
func TestInterruptedTransaction(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "arena.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	err = within(ctx, s.write, nil, func(tx *sql.Tx) error {
		cancel()
		for { // until database/sql has rolled back
			if _, err := tx.Exec("SELECT 1"); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

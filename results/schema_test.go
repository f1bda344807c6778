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
	"Open": Open, "OpenTokens": OpenTokens, "OpenReader": openReading,
}

// openReading opens a database for reading, as a store whose writes fail.
func openReading(ctx context.Context, path string) (*Store, error) {
	r, err := OpenReader(ctx, path)
	if err != nil {
		return nil, err
	}
	return &Store{Reader: r, write: r.read}, nil
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

// damaged returns the path of an arena's database with an overwritten list of tables.
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

// A transaction fails with the context's error if the context ends meanwhile.
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

// alter changes a database without an arena.
func alter(t *testing.T, path, statements string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}

// alterations are changes that others may make to a database of any version, with the error for each.
var alterations = []struct{ statements, want string }{
	{`CREATE TRIGGER later AFTER INSERT ON events BEGIN DELETE FROM games; END`, `the trigger "later" was added: drop it`},
	{`ALTER TABLE games RENAME TO moved; CREATE VIEW games AS SELECT * FROM moved`, `the table "moved" was added`},
	{`DROP TABLE journal; CREATE VIEW journal AS SELECT 1`, `the view "journal" was added`},
	{`DROP TABLE journal`, `the table "journal" is missing: restore a backup`},
	{`CREATE INDEX large ON bots (hex(zeroblob(length(name))))`, `the index "large" was added`},
	{`CREATE TABLE extra (x)`, `the table "extra" was added`},
	{`CREATE VIRTUAL TABLE words USING fts5(x)`, `the table "words" was added`},
	{`DROP INDEX tokens_by_name`, `the index "tokens_by_name" is missing`},
	{`DROP INDEX tokens_by_name; CREATE INDEX tokens_by_name ON tokens (name, role)`, `the index "tokens_by_name" was changed: restore a backup`},
	{`ALTER TABLE tokens ADD COLUMN x TEXT AS (hex(hash))`, `the table "tokens" was changed`},
	// These views would answer the usual questions about a schema.
	{`CREATE VIEW pragma_user_version AS SELECT 0 AS user_version`, `the view "pragma_user_version" was added`},
	{`CREATE VIEW pragma_application_id AS SELECT 0 AS application_id`, `the view "pragma_application_id" was added`},
}

// copyOpener opens a copy that is made as a backup is.
func copyOpener(ctx context.Context, path string) (*Store, error) {
	copied := path + ".copy"
	if _, err := Copy(ctx, path, copied, nil); err != nil {
		return nil, err
	}
	return openReading(ctx, copied)
}

// versioned makes a database with the schema of a version, and returns its path.
func versioned(t *testing.T, version int) string {
	t.Helper()
	steps, err := migrations()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "arena.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := within(t.Context(), db, nil, func(tx *sql.Tx) error {
		for i, statements := range steps[:version] {
			if err := apply(t.Context(), tx, statements, i+1); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return path
}

// If others have added something to a database of any version, or removed something from it, every
// way of opening it refuses it and does not change it.
func TestAlteredSchema(t *testing.T) {
	doors := map[string]func(context.Context, string) (*Store, error){"Copy": copyOpener}
	for name, open := range openers {
		doors[name] = open
	}
	for _, version := range []int{4, newest(t)} {
		for _, a := range alterations {
			path := versioned(t, version)
			alter(t, path, a.statements)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for name, open := range doors {
				s, err := open(t.Context(), path)
				if err == nil {
					s.Close()
				}
				if oneLine(t, err, path); !errors.Is(err, ErrAltered) || !strings.Contains(err.Error(), a.want) {
					t.Errorf("schema %d, %s: %s: error %v, want %q", version, a.statements, name, err, a.want)
				}
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("schema %d, %s: the file has changed (error %v)", version, a.statements, err)
			}
		}
	}
}

// SQLite's own additions and changes are no reason to refuse a database.
func TestSchemaOfEveryVersion(t *testing.T) {
	for version := 1; version <= newest(t); version++ {
		for _, statements := range []string{"VACUUM", "ANALYZE; PRAGMA optimize; REINDEX"} {
			path := versioned(t, version)
			alter(t, path, statements)
			for _, name := range []string{"OpenReader", "Open", "OpenReader", "OpenTokens"} {
				s, err := openers[name](t.Context(), path)
				if err != nil {
					t.Fatalf("schema %d, %s: %s: %v", version, statements, name, err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

// A database that is marked as ours, but has no version yet, is refused if it has a table of others.
func TestAlteredBeforeTheFirstVersion(t *testing.T) {
	path := other(t, fmt.Sprintf("CREATE TABLE events (id); PRAGMA application_id = %d", applicationID))
	for name, open := range openers {
		if _, err := open(t.Context(), path); !errors.Is(err, ErrAltered) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// An index that others add while an arena plays does not prevent the rescue of its games when the
// database is lost.
func TestRescueOfAnAlteredDatabase(t *testing.T) {
	s := openNew(t)
	finish(t, newDuel(t, s, 1), 1, 1)
	path := s.place.path
	alter(t, path, `CREATE INDEX mine ON games (score)`)
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	var moved *MovedError
	if err := s.Check(t.Context()); !errors.As(err, &moved) || moved.Err != nil {
		t.Fatalf("error %v", err)
	}
	if _, err := OpenReader(t.Context(), moved.Rescued); !errors.Is(err, ErrAltered) {
		t.Errorf("error %v", err)
	}
	alter(t, moved.Rescued, `DROP INDEX mine`)
	rescued, err := OpenReader(t.Context(), moved.Rescued)
	if err != nil {
		t.Fatal(err)
	}
	defer rescued.Close()
	if counts, err := rescued.Counts(t.Context()); err != nil || counts.Games != 1 {
		t.Errorf("%+v, error %v", counts, err)
	}
}

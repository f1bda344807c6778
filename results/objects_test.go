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

// alter changes a database as nobody should.
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

// alterations are what others may have done to a database of any version, and what its error says.
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
	// These views would answer the questions by which a schema is usually looked at.
	{`CREATE VIEW pragma_user_version AS SELECT 0 AS user_version`, `the view "pragma_user_version" was added`},
	{`CREATE VIEW pragma_application_id AS SELECT 0 AS application_id`, `the view "pragma_application_id" was added`},
}

// copyOpener opens a copy that is made as a backup is.
func copyOpener(ctx context.Context, path string) (*Store, error) {
	copied := path + ".copy"
	if _, err := Copy(ctx, path, copied, nil); err != nil {
		return nil, err
	}
	return OpenReader(ctx, copied)
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

// A database of any version to which others have added something, or from which they have taken something, is refused
// at every door, and stays as it is.
func TestAlteredSchema(t *testing.T) {
	doors := map[string]func(context.Context, string) (*Store, error){"Copy": copyOpener}
	for name, open := range openers {
		doors[name] = open
	}
	for _, version := range []int{1, 4, newest(t)} {
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

// What SQLite itself adds or rewrites is no reason to refuse a database.
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

// An empty file that is marked as ours has nothing of others either.
func TestAlteredBeforeTheFirstVersion(t *testing.T) {
	path := other(t, fmt.Sprintf("CREATE TABLE events (id); PRAGMA application_id = %d", applicationID))
	for name, open := range openers {
		if _, err := open(t.Context(), path); !errors.Is(err, ErrAltered) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Whoever adds an index while an arena plays does not keep it from saving its games when the database is lost.
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

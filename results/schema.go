package results

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// migrationFiles lead from each version of the schema to the next, the first
// from an empty file to version 1.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks our databases: "2048" in ASCII.
const applicationID = 0x32303438

// Why a file can't be used.
var (
	ErrForeign = errors.New("not an arena's database")
	ErrNewer   = errors.New("made by a newer version of the arena")
)

// schema is what a file says of itself; an empty file says nothing.
type schema struct {
	application int64
	version     int
	tables      int
}

// readSchema reads what the file says of itself and refuses one that is not
// ours or newer than we know.
func readSchema(ctx context.Context, tx *sql.Tx, newest int) (s schema, err error) {
	row := tx.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`)
	err = row.Scan(&s.application, &s.version, &s.tables)
	switch {
	case err != nil:
		return s, err
	case s != schema{} && s.application != applicationID:
		return s, ErrForeign
	case s.version > newest:
		return s, fmt.Errorf("%w: its schema is %d, the newest known here is %d", ErrNewer, s.version, newest)
	}
	return s, nil
}

// checkSchema is for a database that is only read: it must be up to date.
func checkSchema(ctx context.Context, db *sql.DB) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	err = within(ctx, db, &sql.TxOptions{ReadOnly: true}, func(tx *sql.Tx) error {
		s, err := readSchema(ctx, tx, len(steps))
		if err == nil && s.version < len(steps) {
			err = fmt.Errorf("its schema is %d, want %d: open it once with arena serve, which brings it up to date", s.version, len(steps))
		}
		return err
	})
	return foreign(err)
}

// migrate brings a database up to date, an empty one from nothing.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	for current := false; !current; {
		err := within(ctx, db, nil, func(tx *sql.Tx) error {
			s, err := readSchema(ctx, tx, len(steps))
			current = s.version == len(steps)
			if err != nil || current {
				return err
			}
			return apply(ctx, tx, steps[s.version], s.version+1)
		})
		if err != nil {
			return foreign(err)
		}
	}
	return enterWAL(ctx, db)
}

// enterWAL makes SQLite write to a log first, so that readers and the writer
// don't wait for each other. Where another program is doing the same, SQLite
// fails at once, unlike elsewhere: then it is tried again for a second.
func enterWAL(ctx context.Context, db *sql.DB) error {
	var mode string
	for tries := 1; ; tries++ {
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if hasCode(err, sqlite3.SQLITE_BUSY) && tries < 100 {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if err == nil && mode != "wal" {
			err = errors.New("SQLite can't keep a write-ahead log there; is the folder on a network?")
		}
		return err
	}
}

// migrations are the statements of each migration, in order.
func migrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	steps := make([]string, len(names))
	for i, name := range names {
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		steps[i] = string(text)
	}
	return steps, nil
}

// apply applies a migration that leads to the version.
func apply(ctx context.Context, tx *sql.Tx, statements string, version int) error {
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version)
	if _, err := tx.ExecContext(ctx, statements+";\n"+mark); err != nil {
		return fmt.Errorf("migration %d: %w", version, err)
	}
	return nil
}

// foreign is ErrForeign where SQLite found that a file is no database.
func foreign(err error) error {
	if hasCode(err, sqlite3.SQLITE_NOTADB) {
		return ErrForeign
	}
	return err
}

// hasCode tells whether err is a failure of SQLite with that primary code.
func hasCode(err error, code int) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code()&0xFF == code
}

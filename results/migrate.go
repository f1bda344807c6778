package results

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks our databases: "2048" in ASCII.
const applicationID = 0x32303438

// Why a file can't be used.
var (
	ErrForeign = errors.New("not an arena's database")
	ErrNewer   = errors.New("made by a newer version of the arena")
)

// schema is what a file says of itself.
type schema struct {
	application int64
	version     int
	tables      int
}

func readSchema(ctx context.Context, db *sql.DB) (s schema, err error) {
	row := db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`)
	err = row.Scan(&s.application, &s.version, &s.tables)
	var fault *sqlite.Error
	if errors.As(err, &fault) && fault.Code() == sqlite3.SQLITE_NOTADB {
		return s, fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return s, err
}

// check says whether the file is ours and of a version that we know.
func (s schema) check(newest int) error {
	switch {
	case s.application != applicationID:
		return fmt.Errorf("%w", ErrForeign)
	case s.version > newest:
		return fmt.Errorf("%w: its schema is %d, the newest known here is %d", ErrNewer, s.version, newest)
	}
	return nil
}

// checkVersion is for a database that is only read: it must be up to date.
func checkVersion(ctx context.Context, db *sql.DB) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	if err := s.check(len(steps)); err != nil {
		return err
	}
	if s.version < len(steps) {
		return fmt.Errorf("its schema is %d, want %d: open it once with arena serve, which brings it up to date", s.version, len(steps))
	}
	return nil
}

// migrate brings a database up to date, an empty one from nothing.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	s, err := readSchema(ctx, db)
	if err != nil {
		return err
	}
	if s.tables > 0 || s.application != 0 {
		if err := s.check(len(steps)); err != nil {
			return err
		}
	}
	if _, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	for version := s.version + 1; version <= len(steps); version++ {
		if err := apply(ctx, db, steps[version-1], version); err != nil {
			return fmt.Errorf("migration %d: %w", version, err)
		}
	}
	return nil
}

// migrations are the statements of each migration, the first for version 1.
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
		if want := fmt.Sprintf("%04d_", i+1); path.Base(name)[:len(want)] != want {
			return nil, fmt.Errorf("migration %s: want a name that begins with %s", name, want)
		}
		steps[i] = string(text)
	}
	return steps, nil
}

// apply applies one migration, all of it or nothing.
func apply(ctx context.Context, db *sql.DB, statements string, version int) error {
	return within(ctx, db, func(tx *sql.Tx) error {
		mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version)
		_, err := tx.ExecContext(ctx, statements+";\n"+mark)
		return err
	})
}

// within calls do in a transaction, which is committed unless do fails.
func within(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

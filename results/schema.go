package results

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// migrationFiles lead from each version of the schema to the next, the first one from an empty file
// to version 1.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID marks our databases: "2048" in ASCII.
const applicationID = 0x32303438

// The reasons why a file cannot be used.
var (
	ErrForeign = errors.New("not an arena database")
	ErrNewer   = errors.New("made by a newer version of the arena")
	// ErrAltered means that a database has a table, index, view or trigger that the arena did not
	// make, or lacks one that the arena made. SQLite would execute foreign triggers and views as
	// parts of our statements.
	ErrAltered = errors.New("its schema is not the arena's")
)

// schema identifies a file. It is zero for an empty file.
type schema struct {
	application int64
	version     int
	objects     int
}

// readSchema identifies the file. It returns ErrForeign for a file that is not ours and ErrNewer
// for a version above the newest.
func readSchema(ctx context.Context, tx *sql.Tx, newest int) (s schema, err error) {
	for _, fact := range []struct {
		statement string
		into      any
	}{
		{`PRAGMA application_id`, &s.application},
		{`PRAGMA user_version`, &s.version},
		{`SELECT count(*) FROM sqlite_schema`, &s.objects},
	} {
		if err := tx.QueryRowContext(ctx, fact.statement).Scan(fact.into); err != nil {
			return s, err
		}
	}
	switch {
	case s != schema{} && s.application != applicationID, s.version < 0:
		return s, ErrForeign
	case s.version > newest:
		return s, fmt.Errorf("%w: its schema is %d, the newest known here is %d", ErrNewer, s.version, newest)
	}
	return s, nil
}

// isOlder reports whether a database has an older schema. It returns an error, such as ErrAltered,
// for a file that cannot be read, and for a file without a schema.
func isOlder(ctx context.Context, db *sql.DB) (older bool, err error) {
	steps, err := migrations()
	if err != nil {
		return false, err
	}
	err = within(ctx, db, &sql.TxOptions{ReadOnly: true}, func(tx *sql.Tx) error {
		s, err := readSchema(ctx, tx, len(steps))
		if err == nil {
			err = checkObjects(ctx, tx, s.version)
		}
		if err == nil && s.version == 0 {
			err = errors.New("it is empty: open it once with arena serve")
		}
		older = s.version < len(steps)
		return err
	})
	return older, foreign(err)
}

// migrate brings a database up to date, and creates the schema in an empty file. It changes nothing
// if it returns ErrAltered.
func migrate(ctx context.Context, db *sql.DB) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	for current, checked := false, false; !current; checked = true {
		err := within(ctx, db, nil, func(tx *sql.Tx) error {
			s, err := readSchema(ctx, tx, len(steps))
			if err == nil && !checked {
				err = checkObjects(ctx, tx, s.version)
			}
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

// enterWAL switches to a write-ahead log, so that readers and the writer do not wait for each
// other. If another program switches at the same time, SQLite fails at once instead of waiting, so
// enterWAL tries again for a second.
func enterWAL(ctx context.Context, db *sql.DB) error {
	var mode string
	for tries := 1; ; tries++ {
		err := db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		if hasCode(err, sqlite3.SQLITE_BUSY) && tries < 100 {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if err == nil && mode != "wal" {
			err = errors.New("SQLite cannot keep a write-ahead log there; is the folder on a network?")
		}
		return explained(err)
	}
}

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

func apply(ctx context.Context, tx *sql.Tx, statements string, version int) error {
	mark := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version)
	if _, err := tx.ExecContext(ctx, statements+";\n"+mark); err != nil {
		return fmt.Errorf("migration %d: %w", version, err)
	}
	return nil
}

// foreign returns ErrForeign in place of SQLite's error for a file that is not a database.
func foreign(err error) error {
	if hasCode(err, sqlite3.SQLITE_NOTADB) {
		return ErrForeign
	}
	return explained(err)
}

// noRoom reports whether SQLite failed because the disk is full.
func noRoom(err error) bool {
	var failure *sqlite.Error
	return hasCode(err, sqlite3.SQLITE_FULL) || errors.As(err, &failure) && failure.Code() == sqlite3.SQLITE_IOERR_SHMSIZE
}

// explained makes two errors of SQLite clearer: the error for a damaged file, and an I/O error for
// an index that could not grow, which means that the disk is full.
func explained(err error) error {
	switch {
	case Damaged(err) && !errors.Is(err, ErrDamaged):
		return fmt.Errorf("%w (%w)", ErrDamaged, err)
	case noRoom(err) && !hasCode(err, sqlite3.SQLITE_FULL):
		return fmt.Errorf("no room for the index of its log, the disk is full: %w", err)
	}
	return err
}

// Damaged reports whether err means that the database itself is damaged. A query of a damaged file
// may also fail with SQLite's own error.
func Damaged(err error) bool {
	return errors.Is(err, ErrDamaged) || hasCode(err, sqlite3.SQLITE_CORRUPT)
}

// hasCode reports whether err is a failure of SQLite with that primary code.
func hasCode(err error, code int) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && failure.Code()&0xFF == code
}

// object is a table, index, view or trigger, as SQLite lists it.
type object struct{ kind, name, table, statement string }

// checkObjects returns ErrAltered unless the database has exactly the objects that the migrations up to a version make.
// Only the tables of ANALYZE may be there, too. Before this check, only PRAGMA statements and the table sqlite_schema
// can be trusted. Every other name, even pragma_user_version, may belong to a view.
func checkObjects(ctx context.Context, tx *sql.Tx, version int) error {
	made, err := madeObjects(ctx, version)
	if err != nil {
		return fmt.Errorf("making schema %d in memory: %w", version, err)
	}
	missing := slices.Clone(made)
	err = eachObject(ctx, tx, func(found object) error {
		if at := slices.Index(missing, found); at >= 0 {
			missing = slices.Delete(missing, at, at+1)
			return nil
		}
		if found.statistics(ctx) {
			return nil
		}
		return found.explain(made)
	})
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%w: the %s %q is missing: restore a backup", ErrAltered, missing[0].kind, missing[0].name)
	}
	return err
}

// statistics reports whether an object was made by SQLite's ANALYZE.
func (o object) statistics(ctx context.Context) bool {
	all, err := objectsOf(ctx, `ANALYZE`)
	return err == nil && slices.Contains(all, o)
}

// explain returns an error for an object that the arena did not make, or made otherwise.
func (o object) explain(made []object) error {
	for _, m := range made {
		if m.kind == o.kind && m.name == o.name {
			return fmt.Errorf("%w: the %s %q was changed: restore a backup", ErrAltered, o.kind, o.name)
		}
	}
	return fmt.Errorf("%w: the %.20s %.100q was added: drop it with the program sqlite3, or restore a backup", ErrAltered, o.kind, o.name)
}

// newestObjects returns the objects that all migrations make. It computes them once, since that
// takes longer than opening a database.
var newestObjects = sync.OnceValues(func() ([]object, error) {
	steps, err := migrations()
	if err != nil {
		return nil, err
	}
	return objectsOf(context.Background(), strings.Join(steps, ";"))
})

// madeObjects returns the objects that the migrations up to a version make.
func madeObjects(ctx context.Context, version int) ([]object, error) {
	steps, err := migrations()
	if err != nil || version == len(steps) {
		return newestObjects()
	}
	return objectsOf(ctx, strings.Join(steps[:version], ";"))
}

// objectsOf returns the objects that statements make in a new database in memory.
func objectsOf(ctx context.Context, statements string) (all []object, err error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has a database of its own
	err = within(ctx, db, nil, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, statements); err != nil {
			return err
		}
		return eachObject(ctx, tx, func(o object) error {
			all = append(all, o)
			return nil
		})
	})
	return all, err
}

// eachObject calls each with every object. Indexes for a table's constraints have no statement.
func eachObject(ctx context.Context, tx *sql.Tx, each func(object) error) error {
	return queryEach(ctx, tx, func(row *sql.Rows) error {
		var o object
		if err := row.Scan(&o.kind, &o.name, &o.table, &o.statement); err != nil {
			return err
		}
		return each(o)
	}, `SELECT coalesce(type, ''), coalesce(name, ''), coalesce(tbl_name, ''), coalesce(sql, '') FROM sqlite_schema`)
}

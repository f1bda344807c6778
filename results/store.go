package results

import (
	"context"
	"database/sql"
	"encoding"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"versus2048/internal/disk"
)

// Store is a database of events and their games that is open for writing. The methods of its [Reader] read it. All
// methods may be called from several goroutines.
type Store struct {
	*Reader
	write *sql.DB // one connection: SQLite has one writer, and waiting in Go is fairer than waiting in SQLite
	look  *sql.DB // for the store that Visiting returns; nil in that store
	rows  *rowWriter
	lock  *Lock       // nil unless the store is open for an arena
	told  func(Write) // called after each write of a journal; may be nil
}

// Reader reads the events and games of a database. Its methods may be called from several goroutines.
type Reader struct {
	read   *sql.DB
	ends   *ends  // nil for a database that is only read
	place  *place // nil unless the database is open for an arena
	tokens *Tokens
	still  *unchanged // the files of a database that is read without locks; otherwise nil
	copy   string     // the folder of the temporary copy that is read; "" if the database itself is read
}

// Close closes the database.
func (s *Reader) Close() error {
	err := s.read.Close()
	if s.copy != "" {
		err = errors.Join(err, os.RemoveAll(s.copy))
	}
	return wrap(err, "closing the database")
}

// Open opens a database for an arena, and creates it if it does not exist. It brings an older database up to date.
// Until the store is closed, any other Open of the same file returns ErrInUse, even by another path or in another
// process. Open returns ErrForeign, ErrNewer or ErrAltered for a file that this program must not write to, and on
// Linux a *LinkedError for a file with several names.
func Open(ctx context.Context, path string) (*Store, error) {
	s, err := openArena(ctx, path)
	return s, wrap(err, "database %s", path)
}

func openArena(ctx context.Context, path string) (*Store, error) {
	path, err := writablePath(path)
	if err != nil {
		return nil, err
	}
	held, err := TakeLock(path)
	if err != nil {
		return nil, err
	}
	s, err := openWriter(ctx, path)
	if err == nil {
		s.place, err = newPlace(path, s.write)
	}
	if err != nil && s != nil {
		err = errors.Join(err, s.Close())
	}
	if err != nil {
		return nil, errors.Join(err, held.Release())
	}
	s.lock = held
	return s, nil
}

// Find returns an error if there is no database at this path. The error tells the user how to make one. Commands that
// change an existing arena call Find before Open, since Open would create the database.
func Find(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("database %s does not exist: name another one with --db, or make it with: arena serve --db %s", path, path)
	}
	return nil // opening the file reports other problems
}

// OpenTokens opens an existing database for making and revoking tokens, even while an arena uses it. It returns the
// errors of Open except ErrInUse and *LinkedError.
func OpenTokens(ctx context.Context, path string) (*Store, error) {
	if err := Find(path); err != nil {
		return nil, err
	}
	file, err := writablePath(path)
	var s *Store
	if err == nil {
		s, err = openWriter(ctx, file)
	}
	return s, wrap(err, "database %s", path)
}

// Close closes the database.
func (s *Store) Close() error {
	if s.lock != nil {
		s.place.close()
	}
	err := errors.Join(s.Reader.Close(), s.write.Close())
	if s.look != nil {
		err = errors.Join(err, s.look.Close())
	}
	if s.lock != nil {
		err = errors.Join(err, s.place.removeLog(), s.lock.Release())
	}
	return wrap(err, "closing the database")
}

// writablePath returns the path of the database with all links resolved, so that its log and its lock have the same
// names for every path to it. It creates an empty file if there is none.
//
// It never opens an existing database: closing the file would release the locks that SQLite holds in this process.
func writablePath(path string) (string, error) {
	if err := mayBeDatabase(path); err != nil {
		return "", err
	}
	switch _, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644) // #nosec G302 -- results are public, and only hashes of tokens are stored
		if err != nil {
			return "", err
		}
		if err := file.Close(); err != nil {
			return "", err
		}
	case err != nil:
		return "", err
	}
	// The operating system explains better than SQLite why a file cannot be opened.
	if err := disk.Accessible(path, true); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

func openWriter(ctx context.Context, path string) (*Store, error) {
	return openPrepared(ctx, path, migrate)
}

// openPrepared connects to a database for writing, calls prepare with the connection, and returns the store.
func openPrepared(ctx context.Context, path string, prepare func(context.Context, *sql.DB) error) (*Store, error) {
	write, err := connect(path, url.Values{"mode": {"rw"}, "_txlock": {"immediate"}})
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := prepare(ctx, write); err != nil {
		_ = write.Close() // the error above is the one to report
		return nil, err
	}
	read, err := connect(path, url.Values{"mode": {"rw"}, "_query_only": {"1"}})
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	look, err := connect(path, url.Values{"mode": {"rw"}, "_query_only": {"1"}})
	if err != nil {
		return nil, errors.Join(err, read.Close(), write.Close())
	}
	rows, err := newRowWriter(ctx, write)
	if err != nil {
		return nil, errors.Join(explained(err), read.Close(), look.Close(), write.Close())
	}
	s := &Store{Reader: &Reader{read: read, ends: &ends{}}, look: look, write: write, rows: rows}
	s.tokens = &Tokens{read: read, update: s.update}
	return s, nil
}

// Visiting returns a store of the same database for visitors. That store has its own connections for
// reading: so the arena never waits for a connection that a visitor uses. Closing s closes that
// store, too. If s is nil or a store from Visiting, Visiting returns s.
func (s *Store) Visiting() *Store {
	if s == nil || s.look == nil {
		return s
	}
	v := &Store{Reader: &Reader{read: s.look, ends: s.ends, place: s.place}, write: s.write, rows: s.rows}
	v.tokens = &Tokens{read: s.look, update: v.update}
	return v
}

// mayBeDatabase returns an error for a folder, since SQLite's error for a folder is confusing, and
// for anything else that is not a regular file, since SQLite may wait for a pipe.
func mayBeDatabase(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil || info.Mode().IsRegular():
		return nil // opening the file reports other problems
	case info.IsDir():
		return errors.New("it is a folder, want a file")
	}
	return disk.ErrNotRegular
}

// maxConnections is the number of connections for reading that a store may open to its database; the
// store for visitors may open as many again. Each takes a few descriptors. If all are in use, further
// readers wait.
const maxConnections = 8

// connect prepares connections to the file. It does not open the file yet.
func connect(path string, options url.Values) (*sql.DB, error) {
	options["_pragma"] = []string{"busy_timeout(10000)", "foreign_keys(1)", "synchronous(FULL)", "trusted_schema(0)"}
	options["_defensive"] = []string{"1"}
	source, err := address(path, options)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(maxConnections)
	return db, nil
}

func address(path string, options url.Values) (string, error) {
	absolute, err := filepath.Abs(path)
	u := url.URL{Scheme: "file", Path: absolute, RawQuery: options.Encode()}
	return u.String(), err
}

// update calls do in a transaction that writes. A commit into a file that is no longer at its place
// does not count as recorded: update then returns a *MovedError.
func (s *Store) update(ctx context.Context, do func(*sql.Tx) error) error {
	if moved := s.Moved(); moved != nil {
		return moved // nothing more is written into a lost file
	}
	err := within(ctx, s.write, nil, do)
	if moved := s.place.check(ctx); moved != nil {
		return moved
	}
	return err
}

// execute executes one statement.
func (s *Store) execute(ctx context.Context, statement string, args ...any) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
}

// view calls do in a transaction that reads a snapshot of the database.
func (s *Reader) view(ctx context.Context, do func(*sql.Tx) error) error {
	if err := s.place.check(ctx); err != nil {
		return err
	}
	err := within(ctx, s.read, &sql.TxOptions{ReadOnly: true}, do)
	if changed := s.still.check(); changed != nil {
		return changed // the data may be wrong
	}
	return err
}

// within calls do in a transaction, and commits it unless do fails.
func within(ctx context.Context, db *sql.DB, options *sql.TxOptions, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, options)
	if err != nil {
		return explained(err)
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the error above is the one to report
		return interrupted(ctx, explained(err))
	}
	return interrupted(ctx, explained(tx.Commit()))
}

// interrupted returns the context's error if the end of the context ended the transaction.
// Otherwise the caller would get SQLite's error about an interruption or a finished transaction.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, sql.ErrTxDone) || hasCode(err, sqlite3.SQLITE_INTERRUPT)) {
		return ctx.Err()
	}
	return err
}

// wrap adds the failed action to an error. It returns nil for nil.
func wrap(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// selection is the WHERE clause of a statement with its arguments.
type selection struct {
	clause string
	args   []any
}

// add adds a condition if set is true.
func (s *selection) add(set bool, condition string, args ...any) {
	if set {
		s.clause += " AND " + condition
		s.args = append(s.args, args...)
	}
}

// asText scans a text of the database into a value with UnmarshalText. NULL leaves the value as it is.
type asText struct{ into encoding.TextUnmarshaler }

// Scan implements [sql.Scanner].
func (t asText) Scan(value any) error {
	var text sql.NullString
	if err := text.Scan(value); err != nil || !text.Valid {
		return err
	}
	return t.into.UnmarshalText([]byte(text.String))
}

// scanOne scans a row of one column.
func scanOne[T any](row *sql.Rows) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}

func query[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), statement string, args ...any) ([]T, error) {
	var all []T
	err := queryEach(ctx, db, func(rows *sql.Rows) error {
		value, err := scan(rows)
		all = append(all, value)
		return err
	}, statement, args...)
	return all, err
}

func queryEach(ctx context.Context, db querier, each func(*sql.Rows) error, statement string, args ...any) error {
	rows, err := db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

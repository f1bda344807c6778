package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
	"modernc.org/sqlite" // also the driver "sqlite"
)

// Store is a database of events and their games. Its methods may be called from several goroutines.
type Store struct {
	read   *sql.DB
	tokens tokenCache
	write  *sql.DB      // one connection: SQLite has one writer, and waiting in Go is fairer than waiting in SQLite
	lock   *flock.Flock // nil unless it is open for an arena
	copy   string       // the folder of the temporary copy that is open; "" if the database itself is open
}

// ErrInUse means that another arena writes to the database.
var ErrInUse = errors.New("another arena is using it: play there with --server, or choose another --db")

// Open opens a database for an arena and creates it if it does not exist. It brings an older
// database up to date. Until the store is closed, another Open of the same database returns
// ErrInUse, in this and in other processes. Open returns ErrForeign or ErrNewer for a file that this
// program must not write to.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := notFolder(path); err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	lock := flock.New(path + ".lock")
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if !locked {
		return nil, fmt.Errorf("database %s: %w", path, ErrInUse)
	}
	s, err := OpenTokens(ctx, path)
	if err != nil {
		_ = lock.Unlock() // the error above is the one to report
		return nil, err
	}
	s.lock = lock
	return s, nil
}

// OpenTokens opens a database for making and revoking tokens, even while an arena uses it, and
// creates it if it does not exist. It returns the errors of Open except ErrInUse.
func OpenTokens(ctx context.Context, path string) (*Store, error) {
	s, err := openWriter(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	return s, nil
}

// OpenReader opens an existing database for reading, even while an arena uses it. If the database
// has an older schema, OpenReader copies its present content into a temporary database, brings the
// copy up to date and opens that. It never changes the file itself. It returns ErrForeign or
// ErrNewer for a file that this program cannot read.
func OpenReader(ctx context.Context, path string) (*Store, error) {
	s, err := openReader(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("database %s does not exist", path)
	}
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	return s, nil
}

// Close closes the database.
func (s *Store) Close() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	if s.copy != "" {
		err = errors.Join(err, os.RemoveAll(s.copy))
	}
	if err != nil {
		return fmt.Errorf("closing the database: %w", err)
	}
	return nil
}

func openWriter(ctx context.Context, path string) (*Store, error) {
	// The operating system explains better than SQLite why a file cannot be opened.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	write, err := connect(path, url.Values{"mode": {"rw"}, "_txlock": {"immediate"}})
	if err != nil {
		return nil, err
	}
	write.SetMaxOpenConns(1)
	if err := migrate(ctx, write); err != nil {
		_ = write.Close() // the error above is the one to report
		return nil, err
	}
	read, err := connect(path, url.Values{"mode": {"rw"}, "_query_only": {"1"}})
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	return &Store{read: read, write: write}, nil
}

func openReader(ctx context.Context, path string) (*Store, error) {
	if err := notFolder(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	older, err := isOlder(ctx, path)
	if err != nil {
		return nil, err
	}
	if older {
		return openCopy(ctx, path)
	}
	read, err := connect(path, url.Values{"mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	return &Store{read: read, write: read}, nil // SQLite refuses to write
}

// openCopy copies a database with an older schema into a temporary folder, brings the copy up to
// date and opens it.
func openCopy(ctx context.Context, path string) (s *Store, err error) {
	folder, err := os.MkdirTemp("", "versus2048-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(folder) // the error is the one to report
		}
	}()
	copied := filepath.Join(folder, filepath.Base(path))
	if err := copyDatabase(ctx, path, copied); err != nil {
		return nil, fmt.Errorf("copying it to bring it up to date: %w", err)
	}
	writer, err := openWriter(ctx, copied) // migrates it
	if err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	read, err := connect(copied, url.Values{"mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	return &Store{read: read, write: read, copy: folder}, nil
}

// copyDatabase copies a database page by page, even while another program writes to it.
func copyDatabase(ctx context.Context, from, to string) error {
	db, err := connectQuietly(from)
	if err != nil {
		return err
	}
	defer db.Close()
	connection, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer connection.Close()
	return connection.Raw(func(driver any) error {
		target, err := address(to, url.Values{})
		if err != nil {
			return err
		}
		backup, err := driver.(backuper).NewBackup(target)
		if err != nil {
			return err
		}
		_, err = backup.Step(-1) // all pages
		return errors.Join(err, backup.Finish())
	})
}

// backuper is implemented by the driver's connections. It copies their database.
type backuper interface {
	NewBackup(to string) (*sqlite.Backup, error)
}

// connectQuietly prepares connections for reading that leave no files beside the database unless
// another program may have it open.
func connectQuietly(path string) (*sql.DB, error) {
	options := url.Values{"mode": {"ro"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		options.Set("immutable", "1") // without it SQLite makes a -wal and a -shm that a reader cannot remove
	}
	return connect(path, options)
}

// notFolder returns an error for a folder, which SQLite reports in a confusing way.
func notFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return errors.New("it is a folder, want a file")
	}
	return nil
}

// maxConnections is how many connections a Store opens to its database for reading. Each takes a
// few descriptors; who finds them all in use waits.
const maxConnections = 8

// connect prepares connections to the file without opening it.
func connect(path string, options url.Values) (*sql.DB, error) {
	options["_pragma"] = []string{"busy_timeout(10000)", "foreign_keys(1)", "synchronous(FULL)"}
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

// address returns the file's address for the driver.
func address(path string, options url.Values) (string, error) {
	absolute, err := filepath.Abs(path)
	u := url.URL{Scheme: "file", Path: absolute, RawQuery: options.Encode()}
	return u.String(), err
}

// update calls do in a transaction that writes.
func (s *Store) update(ctx context.Context, do func(*sql.Tx) error) error {
	return within(ctx, s.write, nil, do)
}

// view calls do in a transaction that reads a snapshot of the database.
func (s *Store) view(ctx context.Context, do func(*sql.Tx) error) error {
	return within(ctx, s.read, &sql.TxOptions{ReadOnly: true}, do)
}

// within calls do in a transaction, and commits it unless do fails.
func within(ctx context.Context, db *sql.DB, options *sql.TxOptions, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, options)
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		_ = tx.Rollback() // the error above is the one to report
		return err
	}
	return tx.Commit()
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, statement string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, statement string, args ...any) *sql.Row
}

// query collects the rows of a query.
func query[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), statement string, args ...any) ([]T, error) {
	var all []T
	err := queryEach(ctx, db, func(rows *sql.Rows) error {
		value, err := scan(rows)
		all = append(all, value)
		return err
	}, statement, args...)
	return all, err
}

// queryEach calls each with every row of a query.
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

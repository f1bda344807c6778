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
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Store is a database of events and their games. Its methods may be called from
// several goroutines.
type Store struct {
	read  *sql.DB
	write *sql.DB      // one connection: SQLite has one writer, and waiting here is fairer than there
	lock  *flock.Flock // nil unless it is open for an arena
}

// ErrInUse says that another arena writes to the database.
var ErrInUse = errors.New("another arena is using it: play on that one with --server, or take another --db")

// Open opens a database for an arena, and creates it if there is none. Until it
// is closed nobody else can do so: the error is then ErrInUse. It is ErrForeign
// or ErrNewer for a file that this program must not write to.
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
		_ = lock.Unlock() // the error above is the one to tell
		return nil, err
	}
	s.lock = lock
	return s, nil
}

// OpenTokens opens a database for making and revoking tokens, also while an
// arena uses it, and creates it if there is none. Its errors are those of Open
// but for ErrInUse.
func OpenTokens(ctx context.Context, path string) (*Store, error) {
	s, err := openWriter(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	return s, nil
}

// OpenReader opens a database that exists, for reading. An arena may be using
// it at the same time. The error is ErrForeign or ErrNewer for a file that this
// program can't read.
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

func openWriter(ctx context.Context, path string) (*Store, error) {
	// The operating system says better than SQLite why a file can't be had.
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
		_ = write.Close() // the error above is the one to tell
		return nil, err
	}
	read, err := connect(path, url.Values{"mode": {"rw"}, "_query_only": {"1"}})
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	return &Store{read: read, write: write}, nil
}

// notFolder returns an error for a folder, of which SQLite says something else.
func notFolder(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return errors.New("it is a folder, want a file")
	}
	return nil
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
	read, err := connect(path, url.Values{"mode": {"ro"}})
	if err != nil {
		return nil, err
	}
	if err := checkSchema(ctx, read); err != nil {
		_ = read.Close() // the error above is the one to tell
		return nil, err
	}
	return &Store{read: read, write: read}, nil // SQLite refuses to write
}

// connect prepares connections to the file; none is made yet.
func connect(path string, options url.Values) (*sql.DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	options["_pragma"] = []string{"busy_timeout(10000)", "foreign_keys(1)", "synchronous(FULL)"}
	address := url.URL{Scheme: "file", Path: absolute, RawQuery: options.Encode()}
	return sql.Open("sqlite", address.String())
}

// Close closes the database.
func (s *Store) Close() error {
	err := errors.Join(s.read.Close(), s.write.Close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	if err != nil {
		return fmt.Errorf("closing the database: %w", err)
	}
	return nil
}

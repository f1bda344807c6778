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
)

// Store is a database of events and their games.
type Store struct {
	db   *sql.DB
	lock *flock.Flock // nil if it is open for reading only
}

// ErrInUse says that another arena writes to the database.
var ErrInUse = errors.New("another arena is using it")

// Open opens a database for an arena, and creates it if there is none. Until it
// is closed nobody else can: the error is then ErrInUse.
func Open(ctx context.Context, path string) (*Store, error) {
	lock := flock.New(path + ".lock")
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if !locked {
		return nil, fmt.Errorf("database %s: %w", path, ErrInUse)
	}
	s, err := open(ctx, path, "rwc", migrate)
	if err != nil {
		_ = lock.Unlock() // the error above is the one to tell
		return nil, err
	}
	s.lock = lock
	return s, nil
}

// OpenReader opens a database that exists, for reading. An arena may be using
// it at the same time.
func OpenReader(ctx context.Context, path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("database %s does not exist", path)
		}
		return nil, fmt.Errorf("database: %w", err)
	}
	return open(ctx, path, "ro", checkVersion)
}

// OpenTokens opens a database for making and revoking tokens, also while an
// arena uses it.
func OpenTokens(ctx context.Context, path string) (*Store, error) {
	return open(ctx, path, "rwc", migrate)
}

// open opens the file and prepares it.
func open(ctx context.Context, path, mode string, prepare func(context.Context, *sql.DB) error) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	options := url.Values{
		"mode":    {mode},
		"_txlock": {"immediate"},
		"_pragma": {"busy_timeout(10000)", "foreign_keys(1)", "synchronous(FULL)"},
	}
	address := url.URL{Scheme: "file", Path: absolute, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", address.String()) // the driver of modernc.org/sqlite
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", path, err)
	}
	if mode != "ro" {
		db.SetMaxOpenConns(1) // SQLite has one writer; waiting here is fairer than there
	}
	if err := prepare(ctx, db); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", path, err), db.Close())
	}
	return &Store{db: db}, nil
}

// Close closes the database.
func (s *Store) Close() error {
	err := s.db.Close()
	if s.lock != nil {
		err = errors.Join(err, s.lock.Unlock())
	}
	if err != nil {
		return fmt.Errorf("closing the database: %w", err)
	}
	return nil
}

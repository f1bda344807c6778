package results

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// lock keeps other arenas away from a database. It consists of two locks: on a file beside the
// database, which arenas of every version and system take, and on the database itself, which holds by
// whatever path an arena finds the file (see docs/adr/0017-files.md).
type lock struct {
	beside *flock.Flock
	file   *os.File // open as long as SQLite has the database open; nil where a part of a file cannot be locked
}

// LinkedError means that a database has several names.
type LinkedError struct{ Names int }

func (e *LinkedError) Error() string {
	return fmt.Sprintf("the file has %d names (hard links): SQLite keeps the latest games in a log beside one of them, "+
		"and would miss them under another; play on a copy, or remove the other names", e.Names)
}

// takeLock locks the database at a path without links. It returns ErrInUse if an arena has it, or a
// *LinkedError.
func takeLock(path string) (*lock, error) {
	beside := flock.New(path + ".lock")
	if locked, err := beside.TryLock(); err != nil {
		return nil, err
	} else if !locked {
		return nil, ErrInUse
	}
	l := &lock{beside: beside}
	err := checkNames(path)
	if err == nil {
		l.file, err = lockDatabase(path)
	}
	if err != nil {
		return nil, errors.Join(err, l.release())
	}
	return l, nil
}

// release unlocks the database, which SQLite must have closed.
func (l *lock) release() error {
	err := l.beside.Unlock()
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	return err
}

// InUse reports whether an arena has the database at path open, in this or another process. It looks at the
// file that an arena locks beside the database, and creates nothing. For the moment of the look an arena
// that opens the database is refused.
func InUse(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	beside := path + ".lock"
	if _, err := os.Stat(beside); err != nil {
		return false
	}
	lock := flock.New(beside)
	locked, err := lock.TryRLock()
	if locked {
		err = lock.Unlock()
	}
	return err == nil && !locked
}

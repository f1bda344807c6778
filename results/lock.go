package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock keeps other arenas away from a database. Arenas of every version and on every system lock a file beside the
// database. On Linux a Lock also locks the database itself, since an arena may reach it by another path (see
// docs/adr/0017-files.md).
type Lock struct {
	beside *flock.Flock
	file   *os.File // open while SQLite has the database open; nil if there was no database, or not on Linux
}

// ErrInUse means that another arena writes to the database.
var ErrInUse = errors.New("another arena is using it: play there with --server, or choose another --db")

// LinkedError means that a database has several names.
type LinkedError struct{ Names int }

func (e *LinkedError) Error() string {
	return fmt.Sprintf("the file has %d names (hard links): SQLite keeps the latest games in a log beside one of them, "+
		"and would miss them under another; play on a copy, or remove the other names", e.Names)
}

// TakeLock locks the database at a path without symbolic links. The database need not exist yet. TakeLock returns
// ErrInUse if an arena has locked it, and on Linux a *LinkedError if it has several names.
func TakeLock(path string) (*Lock, error) {
	beside := flock.New(path + ".lock")
	if locked, err := beside.TryLock(); err != nil {
		return nil, err
	} else if !locked {
		return nil, ErrInUse
	}
	l := &Lock{beside: beside}
	err := checkNames(path)
	if err == nil {
		l.file, err = lockDatabase(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, l.Release())
	}
	return l, nil
}

// Release unlocks the database. SQLite must have closed it.
func (l *Lock) Release() error {
	err := l.beside.Unlock()
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
	}
	return err
}

// InUse reports whether an arena has the database at path open, in this or another process. It tries the lock on the
// file beside the database, and creates nothing. An arena that opens the database while InUse holds this lock is
// refused.
func InUse(path string) bool {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	beside := path + ".lock"
	if _, err := os.Stat(beside); err != nil {
		return false
	}
	look := flock.New(beside)
	locked, err := look.TryRLock()
	if locked {
		err = look.Unlock()
	}
	return err == nil && !locked
}

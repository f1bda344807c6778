package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// Lock keeps other arenas away from a database. It consists of two locks. Arenas of every version
// and on every system take the lock on a file beside the database. The lock on the database itself
// also works if an arena reaches the file by another path (see docs/adr/0017-files.md).
type Lock struct {
	beside *flock.Flock
	file   *os.File // open as long as SQLite has the database open; nil on systems that cannot lock a part of a file
}

// ErrInUse means that another arena writes to the database.
var ErrInUse = errors.New("another arena is using it: play there with --server, or choose another --db")

// LinkedError means that a database has several names.
type LinkedError struct{ Names int }

func (e *LinkedError) Error() string {
	return fmt.Sprintf("the file has %d names (hard links): SQLite keeps the latest games in a log beside one of them, "+
		"and would miss them under another; play on a copy, or remove the other names", e.Names)
}

// TakeLock locks the database at a path without symbolic links. The database need not exist yet.
// TakeLock returns ErrInUse if an arena has locked it, or a *LinkedError.
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

// InUse reports whether an arena has the database at path open, in this or another process. It
// tries the lock on the file beside the database, and creates nothing. If an arena opens the
// database during this moment, that arena is refused.
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

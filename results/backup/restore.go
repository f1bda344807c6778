package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"versus2048/internal/disk"
	"versus2048/results"
)

// Restore verifies a backup and makes it the database at a path, as it was: one of an older version is brought up
// to date when an arena opens it. Without Replace it returns an error that wraps fs.ErrExist for a database
// that exists; with it, that one is kept under the name in Replaced. It returns results.ErrInUse for one
// that an arena has open, results.ErrForeign, results.ErrNewer, results.ErrAltered, ErrDamaged or results.ErrDamaged
// for a file that is no backup of ours, or not what it was, and a *BadGamesError unless Accept is set. After an error
// everything is as before.
func Restore(ctx context.Context, file, database string, o Options) (Summary, error) {
	s, err := restore(ctx, file, database, o)
	if err != nil {
		return s, fmt.Errorf("restoring %s: %w", file, err)
	}
	return s, nil
}

func restore(ctx context.Context, file, database string, o Options) (s Summary, err error) {
	if real, err := filepath.EvalSymlinks(database); err == nil {
		database = real
	}
	if err := mayWrite(database, o.Replace); err != nil {
		return s, err
	}
	held, err := results.TakeLock(database)
	if err != nil {
		return s, fmt.Errorf("%s: %w", database, err)
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	w, err := newWorkspace(filepath.Dir(database))
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, w.remove()) }()
	whole := w.file("copy.db")
	if s, err = unpack(ctx, file, whole, o); err != nil {
		return s, err
	}
	if err := compareSum(file, s.SHA256); err != nil {
		return s, err
	}
	bad, err := s.check(ctx, whole, o)
	switch {
	case errors.Is(err, results.ErrDamaged):
		return s, fmt.Errorf("%w (%w)", ErrDamaged, err)
	case err != nil:
		return s, err
	case bad != nil && !o.Accept:
		return s, bad
	}
	s.Replaced, err = takePlace(ctx, whole, database)
	return s, err
}

// compareSum returns ErrDamaged for a backup that has changed since it was made, as far as that is known.
func compareSum(file, sum string) error {
	was, err := readSum(file)
	if err == nil && was != "" && was != sum {
		err = fmt.Errorf("%w (its SHA-256 is not the one in %s)", ErrDamaged, sumName(file))
	}
	return err
}

// takePlace gives a database its name. One that has it gets another name, which takePlace returns.
func takePlace(ctx context.Context, whole, database string) (aside string, err error) {
	switch before, err := os.Stat(database); {
	case err == nil:
		if err := os.Chmod(whole, before.Mode().Perm()); err != nil {
			return "", err
		}
		if aside, err = setAside(ctx, database); err != nil {
			return "", err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	default:
		if err := renameLog(database, asideName(database, "lost")); err != nil {
			return "", err
		}
	}
	err = publish(whole, database, false)
	if err != nil && aside != "" {
		err = errors.Join(err, os.Rename(aside, database), renameLog(aside, database))
		aside = ""
	}
	syncFolder(filepath.Dir(database))
	return aside, err
}

// setAside gives a database another name. Its log, if an arena was killed, becomes a part of it first if it is
// not damaged: SQLite would take a log that stays behind for that of the next database.
func setAside(ctx context.Context, database string) (string, error) {
	aside := asideName(database, "replaced")
	if _, err := os.Lstat(aside); err == nil {
		return "", &disk.ExistsError{Path: aside}
	}
	if store, err := results.OpenReader(ctx, database); err == nil {
		if err := store.Close(); err != nil {
			return "", err
		}
	}
	err := renameLog(database, aside)
	if err == nil {
		err = os.Rename(database, aside)
	}
	if err != nil {
		return "", errors.Join(err, renameLog(aside, database))
	}
	return aside, nil
}

// asideName returns the name that a database gets which makes room for another one.
func asideName(database, why string) string {
	extension := filepath.Ext(database)
	return strings.TrimSuffix(database, extension) + "-" + why + "-" + time.Now().Format("20060102-150405") + extension
}

// renameLog gives the log of a database, if there is one, the name of another database's. Also one whose
// database is gone must not stay behind.
func renameLog(database, other string) error {
	for _, suffix := range []string{"-shm", "-wal"} {
		if err := os.Rename(database+suffix, other+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

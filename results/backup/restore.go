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

// Restore verifies a backup and makes it the database at a path, without changes. An arena brings an older version up
// to date when it opens the database. If there is a database at the path, Restore returns an error that wraps
// fs.ErrExist, unless Replace is set. With Replace it keeps the earlier database under the name in Replaced. It returns
// results.ErrInUse if an arena has the database open. It returns results.ErrForeign, results.ErrNewer,
// results.ErrAltered or ErrDamaged for a file that is not a backup of an arena, or has changed. It returns a
// *BadGamesError for bad games unless Accept is set. After an error the database is as before, unless only the hidden
// folder could not be removed or the lock not be released.
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

// compareSum returns ErrDamaged for a backup that differs from its recorded checksum, if there is one.
func compareSum(file, sum string) error {
	was, err := readSum(file)
	if err == nil && was != "" && was != sum {
		err = fmt.Errorf("%w (its SHA-256 is not the one in %s)", ErrDamaged, sumName(file))
	}
	return err
}

// takePlace gives a new database its name. An existing database with that name is renamed to aside.
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

// setAside renames a database. If an arena was killed, setAside first merges the log into the database, unless the
// database is damaged. SQLite would use a remaining log for the next database.
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

// asideName returns the name for a database or a log that is set aside: its name with the reason and the time.
func asideName(database, why string) string {
	extension := filepath.Ext(database)
	return strings.TrimSuffix(database, extension) + "-" + why + "-" + time.Now().Format("20060102-150405") + extension
}

// renameLog renames the log of a database, if there is one, to the log of another database. Even
// the log of a missing database must not remain.
func renameLog(database, other string) error {
	for _, suffix := range []string{"-shm", "-wal"} {
		if err := os.Rename(database+suffix, other+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

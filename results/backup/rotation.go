package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"versus2048/internal/disk"
)

// Rotation sets the names of the backups in a folder, and the number of backups that are kept.
type Rotation struct {
	Folder  string // it must exist
	Packing string // ".zst" or ".gz", or "" for none
	Keep    int    // the number of backups of the database that are kept, with the new one; 0 keeps all
}

// dateLayout is the format of the times, in UTC, in the names of backups. The order of the names is the order of the
// times.
const dateLayout = "20060102-150405"

// stem returns the beginning of the names of all backups of a database.
func stem(database string) string {
	return strings.TrimSuffix(filepath.Base(database), filepath.Ext(database)) + "-"
}

// path returns the path of a backup made at that time, for example backups/arena-20261122-103000.db.zst.
func (r Rotation) path(database string, at time.Time) string {
	return filepath.Join(r.Folder, stem(database)+at.UTC().Format(dateLayout)+".db"+r.Packing)
}

// unusedPath returns the path of the next backup. Its time is the present second or, if a backup of that second in the
// same packing exists, the next second without one.
func (r Rotation) unusedPath(database string) string {
	at := time.Now()
	for {
		path := r.path(database, at)
		if _, err := os.Lstat(path); err != nil {
			return path // other problems are reported by Write
		}
		at = at.Add(time.Second)
	}
}

// Next writes a backup into the folder, under a name with the date. Then it removes the oldest backups of the same
// database, by the dates in their names, until Keep are left with the new one. If Write returns an error, a
// *BadGamesError included, Next removes none and returns that error. It also returns an error for a negative Keep,
// and if it cannot list the folder or remove a backup.
func (r Rotation) Next(ctx context.Context, database string, o Options) (Summary, error) {
	if r.Keep < 0 {
		return Summary{}, fmt.Errorf("keeping %d backups: want 1 or more, or 0 for all", r.Keep)
	}
	s, err := Write(ctx, database, r.unusedPath(database), o)
	if err != nil || r.Keep == 0 {
		return s, err
	}
	old, err := r.backups(database)
	if err != nil {
		return s, err
	}
	old = slices.DeleteFunc(old, func(path string) bool { return path == s.File }) // the new one stays, even if the clock was set back
	for _, path := range old[:max(0, len(old)-(r.Keep-1))] {
		if err := errors.Join(disk.Remove(path), disk.Remove(sumName(path))); err != nil {
			return s, fmt.Errorf("removing an old backup: %w", err)
		}
		s.Removed = append(s.Removed, path)
	}
	return s, nil
}

// backups returns the compressed and uncompressed backups of a database in the folder, the oldest
// first. It ignores files with other names.
func (r Rotation) backups(database string) (paths []string, err error) {
	files, err := os.ReadDir(r.Folder)
	if err != nil {
		return nil, err
	}
	ours := regexp.MustCompile(`^` + regexp.QuoteMeta(stem(database)) + `(\d{8}-\d{6})\.db(\.zst|\.gz)?$`)
	date := map[string]string{}
	for _, f := range files {
		if m := ours.FindStringSubmatch(f.Name()); m != nil && f.Type().IsRegular() {
			path := filepath.Join(r.Folder, f.Name())
			date[path] = m[1]
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return strings.Compare(date[a]+a, date[b]+b) })
	return paths, nil
}

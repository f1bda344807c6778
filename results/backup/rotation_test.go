package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gofrs/flock"

	"versus2048/results/backup"
)

// Only backups of this database go, the oldest first, and only once the new one is there.
func TestRotation(t *testing.T) {
	db, folder := database(t, 1), t.TempDir()
	others := []string{
		"arena-20010101-000000.db.bak", "arena-2001.db", "arena-old.db", "arena-rescued-20010101-000000-000.db",
		"notes.txt", "other-20010101-000000.db", "xarena-20010101-000000.db",
	}
	old := []string{"arena-20020101-000000.db", "arena-20010101-000000.db.zst", "arena-20040101-000000.db.gz", "arena-20030101-000000.db"}
	for _, name := range slices.Concat(others, old, []string{"arena-20010101-000000.db.zst.sha256"}) {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := backup.Rotation{Folder: folder, Packing: ".zst", Keep: 2}.Next(t.Context(), db, backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var removed []string
	for _, path := range s.Removed {
		removed = append(removed, filepath.Base(path))
	}
	if want := []string{"arena-20010101-000000.db.zst", "arena-20020101-000000.db", "arena-20030101-000000.db"}; !slices.Equal(removed, want) {
		t.Errorf("removed %v, want %v", removed, want)
	}
	left := slices.Concat(others, []string{"arena-20040101-000000.db.gz", filepath.Base(s.File), filepath.Base(s.File) + ".sha256"})
	slices.Sort(left)
	only(t, folder, left...)
}

// Backups of the same second have different names, and the new one stays, also if the others are of the future.
func TestRotationOfASecond(t *testing.T) {
	db, folder := database(t, 1), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "arena-90000101-000000.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s, err := backup.Rotation{Folder: folder, Keep: 1}.Next(t.Context(), db, backup.Options{})
		if err != nil || len(s.Removed) != 1 {
			t.Fatalf("backup %d: removed %v, error %v", i, s.Removed, err)
		}
		only(t, folder, filepath.Base(s.File), filepath.Base(s.File)+".sha256")
	}
}

// While games are bad, the backups from before stay.
func TestBadGamesRemoveNothing(t *testing.T) {
	db, folder := database(t, 1), t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "arena-20020101-000000.db"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	change(t, db, `UPDATE games SET detail = 'changed' WHERE id = 1`)
	s, err := backup.Rotation{Folder: folder, Keep: 1}.Next(t.Context(), db, backup.Options{})
	if bad := (*backup.BadGamesError)(nil); !errors.As(err, &bad) {
		t.Fatalf("error %v", err)
	}
	only(t, folder, "arena-20020101-000000.db", filepath.Base(s.File), filepath.Base(s.File)+".sha256")
}

// The next backup removes the leftovers of a backup that was killed, but not the files of one that
// is in progress.
func TestLeftovers(t *testing.T) {
	db, folder := database(t, 1), filepath.Join(t.TempDir(), "with [signs] *")
	for _, name := range []string{".arena-backup-1", ".arena-backup-2"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name, "copy.db"), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	held := flock.New(filepath.Join(folder, ".arena-backup-2", "lock"))
	if locked, err := held.TryLock(); err != nil || !locked {
		t.Fatal(locked, err)
	}
	defer held.Close()
	if _, err := backup.Write(t.Context(), db, filepath.Join(folder, "backup.db"), backup.Options{}); err != nil {
		t.Fatal(err)
	}
	only(t, folder, ".arena-backup-2", "backup.db", "backup.db.sha256")
}

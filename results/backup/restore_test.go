package backup_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"versus2048/internal/disk"
	"versus2048/internal/testkit"
	"versus2048/results"
	"versus2048/results/backup"
)

// leave makes files of a database of two games, as a killed arena leaves them: the games are in the log.
func leave(t *testing.T, path string, suffixes ...string) {
	t.Helper()
	killed := filepath.Join(t.TempDir(), "arena.db")
	played(t, opened(t, killed), "event", 1)
	for _, suffix := range suffixes {
		content, err := os.ReadFile(killed + suffix)
		if err == nil {
			err = errors.Join(os.WriteFile(path+suffix, content, 0o640), os.Chmod(path+suffix, 0o640)) // whatever the umask is
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// An existing database is not touched unless it is to be replaced. A replaced database is kept,
// with the content of its log.
func TestReplacedDatabaseIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "backup.db")
	if _, err := backup.Write(t.Context(), database(t, 3), file, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "arena.db")
	leave(t, path, "", "-wal")
	var exists *disk.ExistsError
	if _, err := backup.Restore(t.Context(), file, path, backup.Options{}); !errors.As(err, &exists) {
		t.Errorf("error %v", err)
	}
	s, err := backup.Restore(t.Context(), file, path, backup.Options{Replace: true})
	if err != nil || s.Replaced == "" {
		t.Fatalf("%+v, error %v", s, err)
	}
	only(t, folder, filepath.Base(s.Replaced), "arena.db", "arena.db.lock")
	for database, want := range map[string]int64{path: 6, s.Replaced: 2} {
		store, err := results.OpenReader(t.Context(), database)
		if err != nil {
			t.Fatal(err)
		}
		if counts, err := store.Counts(t.Context()); err != nil || counts.Games != want {
			t.Errorf("%s: %+v, error %v: want %d games", database, counts, err, want)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v (%v): want the rights of the one before", info.Mode(), err)
	}
}

// The log of a missing database, left by an arena that was killed, does not become a part of the
// restored one.
func TestRestoreBesideALog(t *testing.T) {
	file := filepath.Join(t.TempDir(), "backup.db")
	if _, err := backup.Write(t.Context(), database(t, 3), file, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "arena.db")
	leave(t, path, "-wal", "-shm")
	if _, err := backup.Restore(t.Context(), file, path, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("the log is still beside the restored database")
	}
	if exported(t, path) != exported(t, file) {
		t.Error("the restored database is not the one in the backup")
	}
}

// No backup takes the place of a database that an arena has open.
func TestRestoreInUse(t *testing.T) {
	file, path := filepath.Join(t.TempDir(), "backup.db"), filepath.Join(t.TempDir(), "arena.db")
	if _, err := backup.Write(t.Context(), database(t, 1), file, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	opened(t, path)
	if _, err := backup.Restore(t.Context(), file, path, backup.Options{Replace: true}); !errors.Is(err, results.ErrInUse) {
		t.Errorf("error %v", err)
	}
}

// With its checksum beside it, a backup is refused after a change of any bit, and after any
// truncation. Without the checksum, a compressed backup is refused, too, or it unpacks to the
// original.
func TestDamage(t *testing.T) {
	db, bits := database(t, 1), testkit.Amount(t, 20, 3)
	for _, name := range names() {
		folder := t.TempDir()
		file, restored := filepath.Join(folder, name), filepath.Join(folder, "restored.db")
		if _, err := backup.Write(t.Context(), db, file, backup.Options{}); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, summed := range []bool{true, false} {
			if !summed {
				if err := os.Remove(file + ".sha256"); err != nil {
					t.Fatal(err)
				}
			}
			for i := 0; i < len(whole); i += 1 + len(whole)/bits {
				damaged := append([]byte(nil), whole...)
				damaged[i] ^= 1 << (i % 8)
				for _, content := range [][]byte{damaged, whole[:i]} {
					if err := os.WriteFile(file, content, 0o600); err != nil {
						t.Fatal(err)
					}
					_, err := backup.Restore(t.Context(), file, restored, backup.Options{Full: true})
					switch {
					case err != nil:
						continue
					case summed:
						t.Fatalf("%s: damage at byte %d is not found", name, i)
					case name != "backup.db" && exported(t, restored) != exported(t, db):
						t.Fatalf("%s: damage at byte %d changes what is restored", name, i)
					}
					if err := os.Remove(restored); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// A plain backup without its checksum still has the checksums of its games.
func TestChangedGame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "backup.db")
	if _, err := backup.Write(t.Context(), database(t, 1), file, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	change(t, file, `UPDATE games SET started = replace(started, '20', '19') WHERE id = 1`)
	to := filepath.Join(t.TempDir(), "arena.db")
	if _, err := backup.Restore(t.Context(), file, to, backup.Options{}); !errors.Is(err, backup.ErrDamaged) {
		t.Errorf("with its checksum: error %v", err)
	}
	if err := os.Remove(file + ".sha256"); err != nil {
		t.Fatal(err)
	}
	var bad *backup.BadGamesError
	if _, err := backup.Restore(t.Context(), file, to, backup.Options{}); !errors.As(err, &bad) {
		t.Errorf("without: error %v", err)
	}
}

// A database of an older version is saved and restored as it is. An arena brings it up to date.
func TestOlderVersion(t *testing.T) {
	folder := t.TempDir()
	db := filepath.Join(folder, "arena.db")
	content, err := os.ReadFile("../testdata/version4.db")
	if err == nil {
		err = os.WriteFile(db, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "backup.db.zst")
	if s, err := backup.Write(t.Context(), db, file, backup.Options{}); err != nil || s.Schema != 4 {
		t.Fatalf("%+v, error %v", s, err)
	}
	restored := filepath.Join(folder, "restored.db")
	if s, err := backup.Restore(t.Context(), file, restored, backup.Options{Full: true}); err != nil || s.Schema != 4 || s.Verified.Games != 19 {
		t.Fatalf("%+v, error %v", s, err)
	}
	counts, err := opened(t, restored).Counts(t.Context())
	if err != nil || counts.Events != 2 || counts.Games < 19 {
		t.Errorf("%+v, error %v", counts, err)
	}
}

// Foreign triggers and views in a database are neither saved nor restored.
func TestAlteredDatabase(t *testing.T) {
	folder := t.TempDir()
	db, file := database(t, 1), filepath.Join(folder, "backup.db")
	if _, err := backup.Write(t.Context(), db, file, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file + ".sha256"); err != nil {
		t.Fatal(err)
	}
	const trigger = `CREATE TRIGGER later AFTER INSERT ON events BEGIN DELETE FROM games; END`
	change(t, file, trigger)
	change(t, db, trigger)
	to := filepath.Join(t.TempDir(), "arena.db")
	const want = `: its schema is not the arena's: the trigger "later" was added: drop it with the program sqlite3, or restore a backup`
	if _, err := backup.Restore(t.Context(), file, to, backup.Options{}); !errors.Is(err, results.ErrAltered) || err.Error() != "restoring "+file+want {
		t.Errorf("restoring: error %v", err)
	}
	only(t, filepath.Dir(to), "arena.db.lock")
	to = filepath.Join(t.TempDir(), "backup.db")
	if _, err := backup.Write(t.Context(), db, to, backup.Options{}); !errors.Is(err, results.ErrAltered) {
		t.Errorf("backup: error %v", err)
	}
	only(t, filepath.Dir(to))
}

// Bytes behind the pages of a database are not restored, whether its header tells the number of
// pages or not.
func TestSomethingBehindTheDatabase(t *testing.T) {
	for _, name := range names() {
		file := filepath.Join(t.TempDir(), name)
		for _, counted := range []bool{true, false} {
			content, err := os.ReadFile(database(t, 1))
			if err != nil {
				t.Fatal(err)
			}
			if !counted {
				content[92]++ // the number of pages was counted at another change
			}
			content = append(content, make([]byte, 1<<16)...)
			if err := os.WriteFile(file, packed(t, name, content), 0o600); err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(t.TempDir(), "arena.db")
			if _, err := backup.Restore(t.Context(), file, to, backup.Options{}); !errors.Is(err, backup.ErrDamaged) {
				t.Errorf("%s, counted %v: error %v", name, counted, err)
			}
			only(t, filepath.Dir(to), "arena.db.lock")
		}
	}
}

// packed compresses the content of a file as its name says.
func packed(t *testing.T, name string, content []byte) []byte {
	t.Helper()
	var file bytes.Buffer
	var w io.WriteCloser
	switch filepath.Ext(name) {
	case ".gz":
		w = gzip.NewWriter(&file)
	case ".zst":
		var err error
		if w, err = zstd.NewWriter(&file); err != nil {
			t.Fatal(err)
		}
	default:
		return content
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

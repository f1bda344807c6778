package backup_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"versus2048/internal/disk"
	"versus2048/results"
	"versus2048/results/backup"
)

// names are names of backups, one for each way to compress.
func names() []string { return []string{"backup.db", "backup.db.zst", "backup.db.gz"} }

// only fails unless the folder has just these files.
func only(t *testing.T, folder string, want ...string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.Name())
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("files %v, want %v", got, want)
	}
}

// A restored database equals the saved one, with any compression and verification.
func TestRoundTrip(t *testing.T) {
	db := database(t, 2)
	for i, name := range names() {
		folder := t.TempDir()
		file, restored := filepath.Join(folder, name), filepath.Join(folder, "restored.db")
		o := backup.Options{Full: i%2 == 0, KeepFree: 1}
		saved, err := backup.Write(t.Context(), db, file, o)
		if err != nil {
			t.Fatal(err)
		}
		only(t, folder, name, name+".sha256")
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sum := fmt.Sprintf("%x", sha256.Sum256(content))
		if saved.SHA256 != sum || saved.Bytes != int64(len(content)) || saved.Events != 1 || saved.Games != 4 || saved.Verified.Games != 4 || saved.Full != o.Full {
			t.Errorf("%s: %+v", name, saved)
		}
		if line, err := os.ReadFile(file + ".sha256"); err != nil || string(line) != sum+"  "+name+"\n" {
			t.Errorf("%s: checksum %q (%v)", name, line, err)
		}
		for _, path := range []string{file, file + ".sha256"} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
				t.Errorf("%s: others may use it: %v (%v)", path, info.Mode(), err)
			}
		}
		again, err := backup.Restore(t.Context(), file, restored, o)
		if err != nil || again.Games != 4 || again.Schema != saved.Schema || again.Replaced != "" {
			t.Fatalf("%s: %+v, error %v", name, again, err)
		}
		if exported(t, restored) != exported(t, db) {
			t.Errorf("%s: other games", name)
		}
	}
}

// A backup does not replace a file, unless it is told to.
func TestReplacesOnlyOnRequest(t *testing.T) {
	db, folder := database(t, 1), t.TempDir()
	file := filepath.Join(folder, "backup.db")
	if err := os.WriteFile(file, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	var exists *disk.ExistsError
	if _, err := backup.Write(t.Context(), db, file, backup.Options{}); !errors.As(err, &exists) || exists.Path != file {
		t.Errorf("error %v", err)
	}
	if content, err := os.ReadFile(file); err != nil || string(content) != "precious" {
		t.Errorf("%q, error %v", content, err)
	}
	if _, err := backup.Write(t.Context(), db, file, backup.Options{Replace: true}); err != nil {
		t.Fatal(err)
	}
	if exported(t, file) != exported(t, db) {
		t.Error("other games")
	}
	if _, err := backup.Write(t.Context(), db, folder, backup.Options{Replace: true}); err == nil {
		t.Error("a folder is replaced")
	}
}

// Games that are written while the backup is made are in it or not, each of them whole.
func TestWhileGamesAreWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	store := opened(t, path)
	played(t, store, "before", 2)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		var err error
		for err == nil && ctx.Err() == nil {
			err = play(t.Context(), store, "meanwhile", 1)
		}
		done <- err
	}()
	meanwhile := false // whether a backup has a game that was written meanwhile
	for i := 0; i < 5 || !meanwhile && len(done) == 0; i++ {
		file := filepath.Join(t.TempDir(), names()[i%3])
		s, err := backup.Write(t.Context(), path, file, backup.Options{Full: true})
		if err != nil || s.Games < 4 || s.Games > s.Events*2+2 {
			t.Fatalf("%+v, error %v", s, err)
		}
		meanwhile = meanwhile || s.Games > 4
	}
	cancel()
	if err := <-done; err != nil || !meanwhile {
		t.Errorf("written meanwhile: %v, error %v", meanwhile, err)
	}
}

// Backups and restores refuse files that are not a database, and databases of unknown versions.
func TestOtherFiles(t *testing.T) {
	folder := t.TempDir()
	text, newer, db := filepath.Join(folder, "text.db"), filepath.Join(folder, "newer.db"), database(t, 1)
	if err := os.WriteFile(text, []byte("just a text that is longer than a hundred bytes, which is the length of the header of every database of SQLite"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Write(t.Context(), db, newer, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(newer + ".sha256"); err != nil {
		t.Fatal(err)
	}
	change(t, newer, `PRAGMA user_version = 1000`)
	for path, want := range map[string]error{text: results.ErrForeign, newer: results.ErrNewer} {
		to := filepath.Join(t.TempDir(), "backup.db")
		if _, err := backup.Write(t.Context(), path, to, backup.Options{}); !errors.Is(err, want) {
			t.Errorf("backup of %s: error %v", path, err)
		}
		only(t, filepath.Dir(to))
		if _, err := backup.Restore(t.Context(), path, to, backup.Options{}); !errors.Is(err, want) {
			t.Errorf("restoring %s: error %v", path, err)
		}
		only(t, filepath.Dir(to), "backup.db.lock")
	}
	if _, err := backup.Write(t.Context(), filepath.Join(folder, "none.db"), filepath.Join(folder, "backup.db"), backup.Options{}); err == nil {
		t.Error("a database that does not exist has a backup")
	}
}

// A backup keeps damaged games and reports them. A restore accepts them only if told to.
func TestBadGames(t *testing.T) {
	db, folder := database(t, 2), t.TempDir()
	change(t, db, `UPDATE games SET detail = 'changed' WHERE id = 3`)
	file, restored := filepath.Join(folder, "backup.db.gz"), filepath.Join(folder, "restored.db")
	var bad *backup.BadGamesError
	if s, err := backup.Write(t.Context(), db, file, backup.Options{}); !errors.As(err, &bad) || bad.Games != 1 || s.Verified.Bad != 1 {
		t.Fatalf("error %v", err)
	}
	if _, err := backup.Restore(t.Context(), file, restored, backup.Options{}); !errors.As(err, &bad) {
		t.Errorf("error %v", err)
	}
	only(t, folder, "backup.db.gz", "backup.db.gz.sha256", "restored.db.lock")
	if s, err := backup.Restore(t.Context(), file, restored, backup.Options{Accept: true}); err != nil || s.Verified.Bad != 1 {
		t.Errorf("%+v, error %v", s, err)
	}
}

// An interrupt leaves nothing.
func TestInterrupted(t *testing.T) {
	db := database(t, 1)
	for _, step := range []backup.Step{backup.Copying, backup.Checking, backup.Packing} {
		folder := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		o := backup.Options{Progress: func(now backup.Step, _ float64) {
			if now == step {
				cancel()
			}
		}}
		if _, err := backup.Write(ctx, db, filepath.Join(folder, "backup.db.zst"), o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", step, err)
		}
		only(t, folder)
	}
}

// A file that cannot be read is not taken for one that is no backup.
func TestUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(file, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // the reading of the first bytes fails
	to := filepath.Join(t.TempDir(), "restored.db")
	if _, err := backup.Restore(ctx, file, to, backup.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A disk that would be too full is left alone.
func TestKeepsRoom(t *testing.T) {
	folder := t.TempDir()
	var noRoom *backup.NoRoomError
	_, err := backup.Write(t.Context(), database(t, 1), filepath.Join(folder, "backup.db"), backup.Options{KeepFree: 1 << 60})
	if !errors.As(err, &noRoom) || noRoom.Needed == 0 {
		t.Errorf("error %v", err)
	}
	only(t, folder)
	path, link := filepath.Join(t.TempDir(), "arena.db"), filepath.Join(t.TempDir(), "link.db")
	if err := errors.Join(os.WriteFile(path, make([]byte, 1<<10), 0o600), os.WriteFile(path+"-wal", make([]byte, 1<<20), 0o600), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	if _, err = backup.Write(t.Context(), link, filepath.Join(folder, "backup.db"), backup.Options{KeepFree: 1 << 60}); !errors.As(err, &noRoom) || noRoom.Needed != 1<<20+1<<10 {
		t.Errorf("by a link: error %v", err)
	}
}

//go:build unix

package results

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"
)

// readUnprivileged reads a database in a process that is not root, and returns the process's
// output.
func readUnprivileged(t *testing.T, path string) string {
	t.Helper()
	self := os.Args[0]
	reader := exec.CommandContext(t.Context(), self)
	if os.Geteuid() == 0 { // root may write everywhere
		self = filepath.Join(filepath.Dir(filepath.Dir(path)), "reader")
		if _, err := os.Stat(self); err != nil {
			if err := copyFile(os.Args[0], self); err != nil {
				t.Fatal(err)
			}
			chmod(t, self, 0o755)
		}
		reader = exec.CommandContext(t.Context(), self)
		reader.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	reader.Env = append(os.Environ(), readDatabase+"="+path)
	output, err := reader.CombinedOutput()
	if err != nil {
		t.Fatalf("reading %s: %v\n%s", path, err, output)
	}
	return string(output)
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// publicFolder returns a folder that every user of the machine can enter.
func publicFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "versus2048-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(folder, func(path string, _ os.DirEntry, _ error) error { return os.Chmod(path, 0o700) })
		if err := os.RemoveAll(folder); err != nil {
			t.Error(err)
		}
	})
	inner := filepath.Join(folder, "media")
	if err := os.Mkdir(inner, 0o755); err != nil {
		t.Fatal(err)
	}
	chmod(t, folder, 0o755)
	return inner
}

// wantFiles fails unless a folder has these files.
func wantFiles(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("files %v (error %v), want %v", got, err, want)
	}
}

// Databases are read where nothing can be written: after an arena has closed them, while it plays, and
// after it was killed, with and without the index of its log. Nothing is left beside them.
func TestReadingWithoutTheRightToWrite(t *testing.T) {
	for _, tc := range []struct {
		name, games string
		files       []string
		prepare     func(t *testing.T, path string)
	}{
		{"closed", "1 games\n", []string{"arena.db", "arena.db.lock"}, func(t *testing.T, path string) {
			playedArena(t, path, true)
		}},
		{"played on", "1 games\n", []string{"arena.db", "arena.db-shm", "arena.db-wal", "arena.db.lock"}, func(t *testing.T, path string) {
			playedArena(t, path, false)
		}},
		{"killed", "1 games\n", []string{"arena.db", "arena.db-wal"}, func(t *testing.T, path string) {
			killedArena(t, path, "", "-wal")
		}},
		{"killed, with the index", "1 games\n", []string{"arena.db", "arena.db-shm", "arena.db-wal"}, func(t *testing.T, path string) {
			killedArena(t, path, "", "-wal", "-shm")
		}},
		{"of version 4", "19 games\n", []string{"arena.db"}, func(t *testing.T, path string) {
			backup(t, filepath.Join("testdata", "version4.db"), path)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := publicFolder(t)
			path := filepath.Join(folder, "arena.db")
			tc.prepare(t, path)
			for _, name := range tc.files {
				chmod(t, filepath.Join(folder, name), 0o444)
			}
			chmod(t, folder, 0o555)
			if got := readUnprivileged(t, path); got != tc.games {
				t.Errorf("it printed %q, want %q", got, tc.games)
			}
			wantFiles(t, folder, tc.files...)
		})
	}
}

// playedArena plays a game on a new database, and closes it if asked to, otherwise when the test ends.
func playedArena(t *testing.T, path string, closed bool) {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, newDuel(t, s, 1), 1, 1)
	if !closed {
		t.Cleanup(func() { _ = s.Close() })
	} else if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// killedArena makes the files that a killed arena leaves.
func killedArena(t *testing.T, path string, suffixes ...string) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "arena.db")
	playedArena(t, source, false)
	for _, suffix := range suffixes {
		backup(t, source+suffix, path+suffix)
	}
}

// A reader that may write leaves no files behind either, and merges the log of a killed arena.
func TestReadersLeaveNothingBehind(t *testing.T) {
	for name, prepare := range map[string]func(t *testing.T, path string){
		"closed": func(t *testing.T, path string) {
			playedArena(t, path, true)
			remove(t, path+".lock")
		},
		"killed":                 func(t *testing.T, path string) { killedArena(t, path, "", "-wal") },
		"killed, with the index": func(t *testing.T, path string) { killedArena(t, path, "", "-wal", "-shm") },
		"of version 4":           func(t *testing.T, path string) { backup(t, filepath.Join("testdata", "version4.db"), path) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "arena.db")
			prepare(t, path)
			for range 2 {
				s, err := OpenReader(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games == 0 {
					t.Errorf("%+v, error %v", v, err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				wantFiles(t, filepath.Dir(path), "arena.db")
			}
		})
	}
}

// An arena that starts while a reader reads without locks is noticed.
func TestChangedWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	playedArena(t, path, true)
	s, err := openImmutable(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Second)); err != nil { // as a write does
		t.Fatal(err)
	}
	if _, err := s.Verify(t.Context(), Filter{}, func(Stored, error) {}); !errors.Is(err, ErrChanged) {
		t.Errorf("error %v, want ErrChanged", err)
	}
}

// A log that the last writer removes while it is read counts as a change.
func TestLogRemovedWhileRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	killedArena(t, path, "", "-wal")
	still, err := newUnchanged(path, path+"-wal")
	if err != nil {
		t.Fatal(err)
	}
	remove(t, path+"-wal")
	if err := still.check(); !errors.Is(err, ErrChanged) {
		t.Errorf("removed after it was copied: error %v, want ErrChanged", err)
	}
	if s, err := openCopiedLog(t.Context(), path); !errors.Is(err, ErrChanged) {
		t.Errorf("removed before it was copied: reader %v, error %v, want ErrChanged", s, err)
	}
}

// A copy is complete and has no data that were written meanwhile. An interrupted copy returns an
// error.
func TestCopyBesideAWriter(t *testing.T) {
	s := openNew(t)
	event := newDuel(t, s, 40)
	for match := 1; match <= 3; match++ {
		finish(t, event, match, 1)
	}
	var last int64
	match := 4
	to := filepath.Join(t.TempDir(), "copy.db")
	counts, err := Copy(t.Context(), s.place.path, to, func(done, total int64) {
		if done < last || done > total {
			t.Errorf("%d of %d bytes after %d", done, total, last)
		}
		last = done
		finish(t, event, match, 1)
		match++
	})
	if err != nil || counts != (Counts{Events: 1, Games: 3}) || match == 4 {
		t.Fatalf("%+v, error %v", counts, err)
	}
	copied, err := OpenReader(t.Context(), to)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := copied.VerifySums(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 3 {
		t.Errorf("%+v, error %v", v, err)
	}
	if err := copied.Close(); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Copy(ctx, s.place.path, filepath.Join(t.TempDir(), "copy.db"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: error %v", err)
	}
}

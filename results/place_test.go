package results

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/tournament"
)

// backup copies a database that is not open.
func backup(t *testing.T, from, to string) {
	t.Helper()
	if err := copyFile(from, to); err != nil {
		t.Fatal(err)
	}
}

// mishaps are accidents with the files of a database while games are played.
var mishaps = map[string]func(t *testing.T, path string){
	"the database deleted": func(t *testing.T, path string) { remove(t, path) },
	"all files deleted": func(t *testing.T, path string) {
		remove(t, path)
		remove(t, path+"-wal")
		remove(t, path+"-shm")
	},
	"moved away": func(t *testing.T, path string) { rename(t, path, path+".old") },
	"replaced by a backup": func(t *testing.T, path string) {
		backup(t, path+".before", path+".new")
		rename(t, path+".new", path)
	},
	"the log deleted":         func(t *testing.T, path string) { remove(t, path+"-wal") },
	"the log's index deleted": func(t *testing.T, path string) { remove(t, path+"-shm") },
	"the folder moved": func(t *testing.T, path string) {
		rename(t, filepath.Dir(path), filepath.Dir(path)+"-moved")
		t.Cleanup(func() { rename(t, filepath.Dir(path)+"-moved", filepath.Dir(path)) })
	},
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// An arena notices at its next write that the database is lost, and saves the recorded games and
// those in memory, of all its events.
func TestDatabaseMovedWhilePlayedOn(t *testing.T) {
	for name, mishap := range mishaps {
		t.Run(name, func(t *testing.T) {
			s, path := openTwice(t)
			j, other := newDuel(t, s, 3), newDuel(t, s, 1)
			for _, j := range []*Journal{j, other} {
				s.place.playing(j, true) // as Run does, which would write at times of its own
			}
			recorded := finish(t, j, 1, 1)
			inProgress := open(t, j, duelGame(1, 2))
			playOn(&inProgress, j, 7)
			flush(t, j)
			last := open(t, j, duelGame(2, 1))
			playOn(&last, j, -1)
			mishap(t, path)
			elsewhere := open(t, other, duelGame(1, 1)) // only the memory has it
			playOn(&elsewhere, other, 5)
			err := j.Finish(t.Context(), last)
			var moved *MovedError
			if !errors.As(err, &moved) || moved.Rescued == "" || !strings.Contains(err.Error(), moved.Rescued) {
				t.Fatalf("error %v, want a *MovedError with the rescued database", err)
			}
			t.Cleanup(func() { _ = errors.Join(os.Remove(moved.Rescued), os.Remove(moved.Rescued+".lock")) }) // they may be in the system's folder
			if err := j.Flush(t.Context()); !errors.As(err, &moved) {
				t.Errorf("the next flush: error %v", err)
			}
			if _, err := s.Event(t.Context(), j.event); !errors.As(err, &moved) {
				t.Errorf("reading: error %v", err)
			}
			if _, err := s.Tokens().Make(t.Context(), "bot", "ann"); !errors.As(err, &moved) {
				t.Errorf("making a token: error %v", err)
			}
			if _, err := s.Visiting().Tokens().Revoke(t.Context(), "bot", "ann"); !errors.As(err, &moved) {
				t.Errorf("revoking a token: error %v", err)
			}
			ctx, stop := context.WithCancel(t.Context())
			stop()
			if err := other.Run(ctx); !errors.As(err, &moved) {
				t.Errorf("Run: error %v", err)
			}
			wantRescued(t, moved.Rescued, recorded, last, inProgress, elsewhere)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(path + "-wal"); err == nil {
				t.Error("the log is left for the database that comes next")
			}
		})
	}
}

// openTwice opens a database that has been open before. path.before is a backup of it.
func openTwice(t *testing.T) (*Store, string) {
	path := filepath.Join(t.TempDir(), "folder", "arena.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	newDuel(t, s, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	backup(t, path, path+".before")
	if s, err = Open(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() }) // its files may be gone
	return s, path
}

// wantRescued fails unless the games are in the rescued database, and two of them are finished and correct.
func wantRescued(t *testing.T, path string, games ...tournament.Game) {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, g := range games {
		wantStored(t, s, g)
	}
	if v, err := s.Verify(t.Context(), Filter{}, failOn(t)); err != nil || v.Games != 2 {
		t.Errorf("%+v, error %v, want 2 games", v, err)
	}
}

// A database that is put into the same file, as cp does, is noticed if it is shorter.
func TestDatabaseOverwritten(t *testing.T) {
	s, path := openTwice(t)
	j := newDuel(t, s, 200)
	for match := 1; match <= 200; match++ {
		finish(t, j, match, 1)
	}
	if _, err := s.write.Exec("PRAGMA wal_checkpoint"); err != nil {
		t.Fatal(err)
	}
	flush(t, j)
	content, err := os.ReadFile(path + ".before")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	var moved *MovedError
	if err := j.Flush(t.Context()); !errors.As(err, &moved) || !strings.Contains(err.Error(), "overwritten") || strings.Contains(err.Error(), "everything") {
		t.Errorf("error %v", err)
	}
	if err := s.update(t.Context(), func(*sql.Tx) error { t.Error("the lost file is written to"); return nil }); !errors.As(err, &moved) {
		t.Errorf("a later write: %v", err)
	}
}

// After a mishap, closing the store must not delete the log of the database that is there now.
func TestCloseKeepsAnotherLog(t *testing.T) {
	s, path := openTwice(t)
	j := newDuel(t, s, 1)
	remove(t, path)
	remove(t, path+"-wal")
	if err := os.WriteFile(path+"-wal", []byte("of another database"), 0o600); err != nil {
		t.Fatal(err)
	}
	var moved *MovedError
	if err := j.Flush(t.Context()); !errors.As(err, &moved) {
		t.Fatal(err)
	}
	_ = s.Close()
	if text, err := os.ReadFile(path + "-wal"); err != nil || string(text) != "of another database" {
		t.Errorf("the other log is %q (error %v)", text, err)
	}
}

// The errors of a rescue are one line, since they stand in a longer one.
func TestErrorsInOneLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rescued.db")
	for _, suffix := range []string{"", "-wal"} { // folders with a file cannot be removed
		if err := os.MkdirAll(filepath.Join(path+suffix, "file"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	err := both(both(nil, errors.New("no room")), removeDatabase(path))
	if err == nil || strings.Contains(err.Error(), "\n") || strings.Count(err.Error(), "; ") != 2 {
		t.Errorf("error %q, want three in one line", err)
	}
	if err := both(nil, nil); err != nil {
		t.Error(err)
	}
}

// Check notices without a write that the database is gone. After Close it notices no loss, but still reports an earlier
// one.
func TestCheckFindsOut(t *testing.T) {
	for _, gone := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "arena.db")
		store, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Check(t.Context()); err != nil {
			t.Error(err)
		}
		if gone {
			if err := os.Rename(path, path+".moved"); err != nil {
				t.Fatal(err)
			}
		}
		moved := (*MovedError)(nil)
		if err := store.Check(t.Context()); errors.As(err, &moved) != gone || gone && moved.Rescued == "" {
			t.Errorf("moved away %v: %v", gone, err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Check(t.Context()); (err != nil) != gone {
			t.Errorf("closed: %v", err)
		}
	}
}

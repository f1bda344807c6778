package results

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// The lock holds for every path to the database.
func TestLockFollowsTheFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(folder, "linked")
	if err := os.Symlink(folder, linked); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"link.db": path, "chain.db": filepath.Join(folder, "link.db")} {
		if err := os.Symlink(target, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, other := range []string{"link.db", "chain.db", "linked/arena.db", "linked/link.db"} {
		if second, err := Open(t.Context(), filepath.Join(folder, other)); !errors.Is(err, ErrInUse) {
			t.Errorf("%s: error %v, want ErrInUse", other, err)
			if err == nil {
				_ = second.Close()
			}
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), filepath.Join(folder, "link.db"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Errorf("the log of a linked database: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

// A database with two names is refused, whether an arena plays on it or not.
func TestHardLinks(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux tells how many names a file has")
		return
	}
	folder := t.TempDir()
	path, other := filepath.Join(folder, "arena.db"), filepath.Join(folder, "other.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	var linked *LinkedError
	if _, err := Open(t.Context(), other); !errors.As(err, &linked) || linked.Names != 2 {
		t.Errorf("beside an arena: error %v", err)
	}
	// The arena goes on.
	finish(t, newDuel(t, s, 1), 1, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !errors.As(err, &linked) {
		t.Errorf("without an arena: error %v", err)
	}
}

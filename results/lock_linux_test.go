package results

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The file itself is locked, so that it is locked by another path, too, for example of a bind
// mount. SQLite can still lock it as it needs.
func TestTheFileIsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	// The file gets a new name and keeps no other one. The lock beside the new name is free, as on a path of a bind
	// mount.
	moved := filepath.Join(t.TempDir(), "moved.db")
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), moved); !errors.Is(err, ErrInUse) {
		t.Errorf("by another path: error %v, want ErrInUse", err)
	}
	if err := os.Rename(moved, path); err != nil {
		t.Fatal(err)
	}
	finish(t, newDuel(t, s, 1), 1, 1)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

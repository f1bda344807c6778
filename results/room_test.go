package results

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// An import stops before it fills the disk, wherever it is, and leaves nothing behind.
func TestImportLeavesRoomOnTheDisk(t *testing.T) {
	from := openNew(t)
	file := exported(t, from, someEvent(t, from, 3))
	lines := bytes.Count(file, []byte("\n"))
	for full := range lines - 1 { // every line but the last is followed by a look at the disk
		s := openNew(t)
		looks := 0
		shrinking := room{path: s.place.path, keep: 100 << 20, free: func(string) (int64, error) {
			if looks++; looks > full {
				return 100<<20 - 1, nil
			}
			return 1 << 40, nil
		}}
		_, err := s.importWithin(t.Context(), bytes.NewReader(file), shrinking)
		var no *NoRoomError
		if !errors.As(err, &no) || no.Keep != 100<<20 || !strings.Contains(err.Error(), "has 99 MiB free") || !strings.Contains(err.Error(), "--keep-free") {
			t.Errorf("full after %d looks: error %v", full, err)
		}
		if events, err := s.Events(t.Context()); err != nil || len(events) > 0 {
			t.Errorf("full after %d looks: %d events (%v), want none", full, len(events), err)
		}
		if _, err := s.Import(t.Context(), bytes.NewReader(file), 1); err != nil {
			t.Errorf("with room: %v", err)
		}
	}
}

// What SQLite has in its log needs as much room again in the database.
func TestRoomForTheLog(t *testing.T) {
	path := t.TempDir() + "/a.db"
	if err := os.WriteFile(path+"-wal", make([]byte, 30<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for free, want := range map[int64]bool{130 << 20: true, 130<<20 - 1: false} {
		r := room{path: path, keep: 100 << 20, free: func(string) (int64, error) { return free, nil }}
		if err := r.check(); (err == nil) != want {
			t.Errorf("%d bytes are free: %v", free, err)
		}
	}
	unknown := errors.New("the disk is gone")
	r := room{path: path, keep: 1, free: func(string) (int64, error) { return 0, unknown }}
	if err := r.check(); !errors.Is(err, unknown) {
		t.Errorf("error %v, want %v", err, unknown)
	}
}

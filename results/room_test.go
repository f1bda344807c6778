package results

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
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

// A disk that is full during an import is not called damage of the file, whichever page it has no room for.
func TestImportOntoAFullDisk(t *testing.T) {
	from := openNew(t)
	const matches = 30
	j := newDuel(t, from, matches)
	for match := range matches {
		g := open(t, j, duelGame(match+1, 1))
		playOn(&g, j, -1)
		if err := j.Finish(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	file := exported(t, from, 1)
	s := openNew(t)
	var pages int
	if err := s.write.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	for full := 0; ; full++ {
		if _, err := s.write.ExecContext(t.Context(), fmt.Sprintf("PRAGMA max_page_count = %d", pages+full)); err != nil {
			t.Fatal(err)
		}
		_, err := s.Import(t.Context(), bytes.NewReader(file), 0)
		if err == nil {
			if full == 0 {
				t.Error("the disk was never full")
			}
			break
		}
		if !noRoom(err) || errors.Is(err, ErrBroken) {
			t.Fatalf("with %d pages more: error %v, want a full disk", full, err)
		}
	}
}

// A reading of a file that is interrupted or fails is not called damage of the file either, at whichever byte.
func TestImportInterrupted(t *testing.T) {
	from := openNew(t)
	file := exported(t, from, someEvent(t, from, 3))
	s := openNew(t)
	for at := 0; at <= len(file); at = min(at+1+len(file)/50, max(at+1, len(file))) {
		for _, want := range []error{context.Canceled, errors.New("the disk is gone")} {
			cut := func() io.Reader { return io.MultiReader(bytes.NewReader(file[:at]), iotest.ErrReader(want)) }
			_, err := s.Import(t.Context(), cut(), 0)
			_, checked := CheckFile(cut())
			for _, err := range []error{err, checked} {
				if !errors.Is(err, want) || errors.Is(err, ErrBroken) {
					t.Errorf("after %d bytes: error %v, want: %v", at, err, want)
				}
			}
		}
	}
	if events, err := s.Events(t.Context()); err != nil || len(events) > 0 {
		t.Errorf("%d events (%v), want none", len(events), err)
	}
}

// The data in SQLite's log need as much room again in the database.
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

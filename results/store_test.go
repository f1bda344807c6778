package results

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// oneLine fails unless err is one line that names the path.
func oneLine(t *testing.T, err error, path string) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
		t.Errorf("error %q: want one line that names %s", err, path)
	}
}

func TestOpenKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "100% of ours? #1.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.CreateEvent(t.Context(), duel(1))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for name, open := range openers {
		s, err := open(t.Context(), path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e, err := s.Event(t.Context(), id); err != nil || e.Name != "duel" {
			t.Errorf("%s: event %+v, error %v", name, e, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSettings(t *testing.T) {
	s := openNew(t)
	for _, setting := range []struct{ pragma, want string }{
		{"journal_mode", "wal"},
		{"synchronous", "2"}, // FULL
		{"foreign_keys", "1"},
		{"application_id", "842019896"},
	} {
		var got string
		if err := s.write.QueryRow("PRAGMA " + setting.pragma).Scan(&got); err != nil || got != setting.want {
			t.Errorf("%s is %q (error %v), want %q", setting.pragma, got, err, setting.want)
		}
	}
	var loose int
	if err := s.read.QueryRow(`SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'`).Scan(&loose); err != nil || loose != 0 {
		t.Errorf("%d tables are not strict (error %v)", loose, err)
	}
	if _, err := s.read.Exec(`DELETE FROM tokens`); err == nil {
		t.Error("the connections for reading can write")
	}
}

func TestOneArenaAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arena.db")
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), path)
	if !errors.Is(err, ErrInUse) {
		t.Errorf("second arena: error %v, want ErrInUse", err)
	}
	oneLine(t, err, path)
	for _, name := range []string{"OpenReader", "OpenTokens"} {
		other, err := openers[name](t.Context(), path)
		if err != nil {
			t.Errorf("%s beside an arena: %v", name, err)
			continue
		}
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), path)
	if err != nil {
		t.Fatalf("after the first arena: %v", err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestCreatedTwiceAtOnce(t *testing.T) {
	for range 10 {
		path := filepath.Join(t.TempDir(), "arena.db")
		var group sync.WaitGroup
		var opened atomic.Int32
		for range 4 {
			group.Go(func() {
				s, err := Open(t.Context(), path)
				if errors.Is(err, ErrInUse) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				opened.Add(1)
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if opened.Load() == 0 {
			t.Error("each of them finds the database in use")
		}
	}
}

func TestReaderCreatesAndWritesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "arena.db")
	_, err := OpenReader(t.Context(), path)
	oneLine(t, err, path)
	if files, err := os.ReadDir(folder); err != nil || len(files) != 0 {
		t.Errorf("files %v, error %v: want none", files, err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := openReading(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.CreateEvent(t.Context(), duel(1)); err == nil {
		t.Error("a reader created an event")
	}
}

func TestNoFolder(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(folder, "closed")
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	paths := []string{filepath.Join(folder, "missing", "arena.db"), filepath.Join(file, "arena.db"), folder}
	if os.Geteuid() != 0 { // root may write everywhere
		paths = append(paths, filepath.Join(closed, "arena.db"))
	}
	for name, open := range openers {
		for _, path := range paths {
			_, err := open(t.Context(), path)
			oneLine(t, err, path)
			if path != folder && name == "Open" && !errors.As(err, new(*fs.PathError)) {
				t.Errorf("%s %s: error %v: want the operating system's", name, path, err)
			}
		}
	}
}

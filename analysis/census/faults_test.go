package census

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A file with a changed bit, a byte more or less is told to be damaged.
func TestDamage(t *testing.T) {
	s := keptCensus(t.TempDir())
	counted(t, s)
	s.Plies = 32
	whole, rng := contents(t, s.Folder)["layer-030"], rand.New(rand.NewPCG(1, 7))
	for range 30 {
		changed := []byte(whole)
		changed[rng.IntN(len(changed))] ^= 1 << rng.IntN(8)
		damagedBy(t, s, "layer-030", string(changed))
	}
	damagedBy(t, s, "layer-030", whole[1:])
	damagedBy(t, s, "layer-030", whole+"x")
	damagedBy(t, s, "layer-030", "")
	if err := os.Remove(filepath.Join(s.Folder, "layer-030")); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "layer-030")
	damagedBy(t, s, stateName, contents(t, s.Folder)[stateName][1:])
}

func damagedBy(t *testing.T, s Settings, name, content string) {
	t.Helper()
	path := filepath.Join(s.Folder, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	refused(t, s, name)
}

// refused wants the folder's file to be told to be damaged.
func refused(t *testing.T, s Settings, name string) {
	t.Helper()
	path := filepath.Join(s.Folder, name)
	layers, err := Run(t.Context(), s)
	if damaged := new(DamagedError); !errors.As(err, &damaged) || damaged.Path != path || len(layers) > 16 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d layers, error %v", len(layers), err)
	}
}

// A full disk stops a census at one file after another; with room again it goes on
// and ends as if nothing had been.
func TestFullDisk(t *testing.T) {
	want := t.TempDir()
	counted(t, keptCensus(want))
	s := keptCensus(t.TempDir())
	for _, tc := range []struct {
		name   string
		layers int
	}{{"layer-002", 1}, {stateName, 1}, {"layer-020", 10}, {"layer-030", 15}} {
		c := newCensus(s)
		if err := c.needFolder(); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/full", filepath.Join(s.Folder, tc.name+unfinished)); err != nil {
			t.Fatal(err)
		}
		layers, err := c.run(t.Context())
		if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") || len(layers) != tc.layers {
			t.Errorf("%s: %d layers, want %d; error %v", tc.name, len(layers), tc.layers, err)
		}
		if err := c.folder.close(); err != nil {
			t.Fatal(err)
		}
	}
	counted(t, s)
	if !maps.Equal(contents(t, s.Folder), contents(t, want)) {
		t.Error("the files are others than those of an undisturbed census")
	}
}

// A run that can't be written stops it as well.
func TestFullDiskForRuns(t *testing.T) {
	s := keptCensus(t.TempDir())
	c := newCensus(s)
	c.blocks, c.Memory = blocks{left: 4, ranks: 1 << 11}, 1<<12
	for i := range c.workers {
		c.workers[i] = newWorker(1 << 11)
	}
	if err := c.needFolder(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/full", filepath.Join(s.Folder, "run-3"+unfinished)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.run(t.Context()); !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if err := c.folder.close(); err != nil {
		t.Fatal(err)
	}
	counted(t, s)
	if names := slices.Sorted(maps.Keys(contents(t, s.Folder))); len(names) != 3 {
		t.Errorf("files: %q", names)
	}
}

func TestFolderThatIsNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), keptCensus(filepath.Join(file, "c"))); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("error %v", err)
	}
}

// Without a folder a census that needs one says so.
func TestNoFolder(t *testing.T) {
	s := Settings{Start: empty, Plies: 40, Memory: LeastMemory}
	c := newCensus(s)
	c.Memory = 1 << 18
	if _, err := c.run(t.Context()); !errors.Is(err, ErrMemory) {
		t.Errorf("error %v", err)
	}
}

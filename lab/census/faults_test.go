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

// A file with a changed bit, a missing byte or an additional one is reported as damaged.
func TestDamage(t *testing.T) {
	s := keptCensus(t.TempDir())
	runCensus(t, s)
	s.Plies = 32
	whole, rng := contents(t, s.Folder)["layer-030"], rand.New(rand.NewPCG(1, 7))
	for range 30 {
		changed := []byte(whole)
		changed[rng.IntN(len(changed))] ^= 1 << rng.IntN(8)
		checkDamage(t, s, "layer-030", string(changed))
	}
	checkDamage(t, s, "layer-030", whole[1:])
	checkDamage(t, s, "layer-030", whole+"x")
	checkDamage(t, s, "layer-030", "")
	if err := os.Remove(filepath.Join(s.Folder, "layer-030")); err != nil {
		t.Fatal(err)
	}
	checkDamaged(t, s, "layer-030")
	checkDamage(t, s, stateName, contents(t, s.Folder)[stateName][1:])
}

// checkDamage writes content into the folder's file and checks that it is reported.
func checkDamage(t *testing.T, s Config, name, content string) {
	t.Helper()
	path := filepath.Join(s.Folder, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	checkDamaged(t, s, name)
}

// checkDamaged fails the test unless the folder's file is reported as damaged.
func checkDamaged(t *testing.T, s Config, name string) {
	t.Helper()
	path := filepath.Join(s.Folder, name)
	layers, err := Run(t.Context(), s)
	if damaged := new(DamagedError); !errors.As(err, &damaged) || damaged.Path != path || len(layers) > 16 || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d layers, error %v", len(layers), err)
	}
}

// A full disk stops a census at one file after another. With room again it resumes and ends with the same files as an
// undisturbed census.
func TestFullDisk(t *testing.T) {
	want := t.TempDir()
	runCensus(t, keptCensus(want))
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
	runCensus(t, s)
	if !maps.Equal(contents(t, s.Folder), contents(t, want)) {
		t.Error("the files differ from the files of an undisturbed census")
	}
}

// A run that cannot be written stops a census as well.
func TestFullDiskForRuns(t *testing.T) {
	s := keptCensus(t.TempDir())
	c := newCensus(s)
	c.blocks, c.config.Memory = blocks{limit: 4, ranks: 1 << 11}, 1<<12
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
	runCensus(t, s)
	if names := slices.Sorted(maps.Keys(contents(t, s.Folder))); len(names) != 3 {
		t.Errorf("files: %q", names)
	}
}

func TestFolderIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), keptCensus(filepath.Join(file, "c"))); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("error %v", err)
	}
}

// A census that needs a folder and has none returns ErrMemory.
func TestNoFolder(t *testing.T) {
	s := Config{Start: empty, Plies: 40, Memory: LeastMemory}
	c := newCensus(s)
	c.config.Memory = 1 << 18
	if _, err := c.run(t.Context()); !errors.Is(err, ErrMemory) {
		t.Errorf("error %v", err)
	}
}

package census

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// keptCensus returns the config of a census of 30 plies in a folder.
func keptCensus(folder string) Config {
	return Config{Start: empty, Plies: 30, Memory: LeastMemory, Folder: folder}
}

// contents returns the files of a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(text)
	}
	return all
}

// A census that is resumed several times has the same layers and leaves the same files as an uninterrupted one, with
// any number of workers and any memory.
func TestResume(t *testing.T) {
	once := t.TempDir()
	want := runCensus(t, keptCensus(once))
	if names := slices.Sorted(maps.Keys(contents(t, once))); !slices.Equal(names, []string{"census.json", "census.lock", "layer-030"}) {
		t.Errorf("files: %q", names)
	}
	pieces := t.TempDir()
	for i, plies := range []int{1, 2, 11, 24, 8, 30, 30} {
		s := keptCensus(pieces)
		s.Plies, s.Workers, s.Memory = plies, i+1, LeastMemory<<i
		if got := runCensus(t, s); !slices.Equal(got, want[:plies/2+1]) {
			t.Errorf("%d plies: %v", plies, got)
		}
		litter(t, pieces)
	}
	runCensus(t, keptCensus(pieces))
	if !maps.Equal(contents(t, pieces), contents(t, once)) {
		t.Error("the files differ from the files of an uninterrupted census")
	}
}

// litter leaves the files that a killed process may leave.
func litter(t *testing.T, folder string) {
	for _, name := range []string{"run-1.unfinished", "layer-032.unfinished", "layer-028", "census.json.unfinished"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Other files in the folder are left alone, even those with similar names.
func TestOtherFilesStay(t *testing.T) {
	s := keptCensus(t.TempDir())
	others := map[string]string{"layer-cake": "recipe", "novel.unfinished": "chapter 1"}
	for name, text := range others {
		if err := os.WriteFile(filepath.Join(s.Folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	runCensus(t, s)
	runCensus(t, s)
	files := contents(t, s.Folder)
	for name, text := range others {
		if files[name] != text {
			t.Errorf("%s is %q", name, files[name])
		}
	}
}

// A layer is read under its final name. The file of the layer before it stays until that layer is released. On Windows
// open files can be neither renamed nor removed.
func TestOpenLayersStay(t *testing.T) {
	c := newCensus(keptCensus(t.TempDir()))
	before, layers, err := c.first()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"layer-002", "layer-004"} {
		next, longer, err := c.advance(t.Context(), before, layers)
		if err != nil {
			t.Fatal(err)
		}
		if f := next.store.(*file); f.disk.Name() != filepath.Join(c.config.Folder, name) {
			t.Errorf("%s was opened as %s", name, f.disk.Name())
		}
		if f, kept := before.store.(*file); kept {
			if _, err := os.Stat(f.path); err != nil {
				t.Errorf("after the layer behind it: %v", err)
			}
		}
		if err := before.store.release(); err != nil {
			t.Fatal(err)
		}
		before, layers = next, longer
	}
	if err := errors.Join(c.folder.removeLayers(), before.store.release(), c.folder.close()); err != nil {
		t.Fatal(err)
	}
	if names := slices.Sorted(maps.Keys(contents(t, c.config.Folder))); !slices.Equal(names, []string{"census.json", "census.lock", "layer-004"}) {
		t.Errorf("files: %q", names)
	}
}

func TestKeepAllLayers(t *testing.T) {
	s := keptCensus(t.TempDir())
	s.Keep = true
	runCensus(t, s)
	if layers, _ := filepath.Glob(filepath.Join(s.Folder, "layer-*")); len(layers) != 15 {
		t.Errorf("layers: %q", layers)
	}
}

// The folder is only made when a layer has to be kept.
func TestSmallCensusNeedsNoFolder(t *testing.T) {
	s := keptCensus(filepath.Join(t.TempDir(), "c"))
	s.Small = 5000
	s.Plies = 26
	runCensus(t, s)
	if _, err := os.Stat(s.Folder); err == nil {
		t.Error("the folder is there after 26 plies")
	}
	s.Plies = 28
	runCensus(t, s)
	if files := contents(t, s.Folder); files["layer-028"] == "" {
		t.Error("layer 28 is not kept")
	}
}

func TestFolderOfAnotherCensus(t *testing.T) {
	s := keptCensus(t.TempDir())
	runCensus(t, s)
	other := s
	other.Defenders = true
	if _, err := Run(t.Context(), other); err == nil || !strings.Contains(err.Error(), "holds another census: ") {
		t.Errorf("with defenders: %v", err)
	}
	other = s
	other.Start = position(t, "0,0/0,2 A")
	if _, err := Run(t.Context(), other); err == nil || !strings.Contains(err.Error(), "wanted: from 0,0/0,2 A 0 0") {
		t.Errorf("from elsewhere: %v", err)
	}
}

func TestFolderInUse(t *testing.T) {
	s := keptCensus(t.TempDir())
	d, err := openFolder(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), s); !errors.Is(err, ErrInUse) {
		t.Errorf("%v, want ErrInUse", err)
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	runCensus(t, s)
}

package main

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// zipped makes an archive for Windows in a folder.
func zipped(t *testing.T, folder string) {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range map[string]string{"bot.exe": "the program", "LICENSE": "license"} {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: named(t, "windows_amd64/") + name, Modified: releaseDate})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, named(t, "windows_amd64.zip")), packed.Bytes())
}

// A wheel has the package, the program as a script, and the list of its files.
func TestWheel(t *testing.T) {
	folder := t.TempDir()
	zipped(t, folder)
	if err := run([]string{"make", folder}); err != nil {
		t.Fatal(err)
	}
	r, err := zip.OpenReader(filepath.Join(folder, "versus2048-"+version(t)+"-py3-none-win_amd64.whl"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, modes := map[string]string{}, map[string]os.FileMode{}
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil || !f.Modified.Equal(releaseDate) {
			t.Errorf("%s: %v, %v", f.Name, f.Modified, err)
		}
		got[f.Name], modes[f.Name] = string(text), f.Mode()
	}
	script, info := "versus2048-"+version(t)+".data/scripts/bot.exe", "versus2048-"+version(t)+".dist-info/"
	if got[script] != "the program" || modes[script] != 0o755 || modes["versus2048/__init__.py"] != 0o644 {
		t.Errorf("the program is %q, modes %v", got[script], modes)
	}
	if got["versus2048/engine.py"] != content(t, filepath.Join(pythonFolder, "src/versus2048/engine.py")) || got[info+"licenses/LICENSE"] != "license" {
		t.Error("the package is not the one of the folder python")
	}
	if !strings.HasSuffix(got[info+"WHEEL"], "Root-Is-Purelib: false\nTag: py3-none-win_amd64\n") {
		t.Errorf("WHEEL:\n%s", got[info+"WHEEL"])
	}
	var listed []string
	for line := range strings.Lines(got[info+"RECORD"]) {
		name, _, _ := strings.Cut(line, ",")
		listed = append(listed, name)
	}
	if slices.Sort(listed); !slices.Equal(listed, slices.Sorted(maps.Keys(got))) {
		t.Errorf("RECORD lists %v", listed)
	}
	// The checksum is by sha256sum | xxd -r -p | basenc --base64url.
	if want := script + ",sha256=" + programSum + ",11\n"; !strings.Contains(got[info+"RECORD"], want) {
		t.Errorf("RECORD has no %s:\n%s", want, got[info+"RECORD"])
	}
}

// programSum is the SHA-256 of the text of the program.
const programSum = "UP2iO_ClEV1PiT3BDRIsEKRwX0doj1Yg6AYRwJLUBT4"

func TestMetadata(t *testing.T) {
	p := project{
		Name: "game", Version: "1.0.0", Description: "A game", Readme: "README.md", License: "MIT", Python: ">=3.11",
		Dependencies: []string{"numpy>=2"}, Optional: map[string][]string{"plot": {"matplotlib>=3.9"}, "data": {"pandas>=2.2", "pyarrow>=18"}},
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "README.md"), []byte("# Game\n"))
	text, err := p.metadata(folder)
	const want = `Metadata-Version: 2.4
Name: game
Version: 1.0.0
Summary: A game
License-Expression: MIT
License-File: LICENSE
Requires-Python: >=3.11
Requires-Dist: numpy>=2
Provides-Extra: data
Requires-Dist: pandas>=2.2; extra == 'data'
Requires-Dist: pyarrow>=18; extra == 'data'
Provides-Extra: plot
Requires-Dist: matplotlib>=3.9; extra == 'plot'
Description-Content-Type: text/markdown

# Game
`
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
}

// Every system of a release has its wheel, and the file of the project can be read.
func TestProject(t *testing.T) {
	p, err := readProject(filepath.Join(pythonFolder, "pyproject.toml"))
	if err != nil || p.Name != "versus2048" || p.Readme != "README.md" || len(p.Dependencies) == 0 || len(p.Optional) < 4 {
		t.Errorf("%+v, %v", p, err)
	}
	if len(platforms) != 6 {
		t.Errorf("%d systems have wheels, want 6", len(platforms))
	}
}

package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// pythonFolder is the folder of the Python package, relative to the folder of this program.
const pythonFolder = "../../../python"

// platforms maps systems to the names that Python has for them. The programs for Linux need no C library. The programs
// for macOS run from version 12 on.
var platforms = map[string][]string{
	"linux/amd64":   {"manylinux_2_17_x86_64", "musllinux_1_1_x86_64"},
	"linux/arm64":   {"manylinux_2_17_aarch64", "musllinux_1_1_aarch64"},
	"darwin/amd64":  {"macosx_12_0_x86_64"},
	"darwin/arm64":  {"macosx_12_0_arm64"},
	"windows/amd64": {"win_amd64"},
	"windows/arm64": {"win_arm64"},
}

// wheel is the Python package for a system, with the program bot.
type wheel struct {
	archive  *archive
	platform []string
	files    map[string][]byte // by their names
}

// newWheel collects the files of a wheel, except for the list of them.
func newWheel(a *archive) (*wheel, error) {
	project, err := readProject(filepath.Join(pythonFolder, "pyproject.toml"))
	if err != nil {
		return nil, err
	}
	if project.Version != a.version {
		return nil, fmt.Errorf("the Python package has the version %s, the archive %s", project.Version, a.version)
	}
	metadata, err := project.metadata(pythonFolder)
	if err != nil {
		return nil, err
	}
	w := &wheel{archive: a, platform: platforms[a.system+"/"+a.architecture], files: map[string][]byte{}}
	if err := a.need(path.Base(w.script()), "LICENSE"); err != nil {
		return nil, err
	}
	w.files[w.script()] = a.files[path.Base(w.script())]
	w.files[w.info("METADATA")] = metadata
	w.files[w.info("WHEEL")] = w.tags()
	w.files[w.info("licenses/LICENSE")] = a.files["LICENSE"]
	return w, w.addPackage(os.DirFS(filepath.Join(pythonFolder, "src")))
}

// addPackage adds the package's own files.
func (w *wheel) addPackage(source fs.FS) error {
	return fs.WalkDir(source, "versus2048", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == "__pycache__":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		w.files[name], err = fs.ReadFile(source, name)
		return err
	})
}

// script returns the name of the program, which the installer puts beside Python itself.
func (w *wheel) script() string {
	name := fmt.Sprintf("versus2048-%s.data/scripts/bot", w.archive.version)
	if w.archive.system == "windows" {
		name += ".exe"
	}
	return name
}

// info returns the name of a file that describes the wheel.
func (w *wheel) info(name string) string {
	return fmt.Sprintf("versus2048-%s.dist-info/%s", w.archive.version, name)
}

// name returns the name of the wheel's file. The name tells installers the system that the wheel is for.
func (w *wheel) name() string {
	return fmt.Sprintf("versus2048-%s-py3-none-%s.whl", w.archive.version, strings.Join(w.platform, "."))
}

// tags describes the wheel: it is for any Python 3 on the platforms.
func (w *wheel) tags() []byte {
	text := []byte("Wheel-Version: 1.0\nGenerator: versus2048\nRoot-Is-Purelib: false\n")
	for _, platform := range w.platform {
		text = fmt.Appendf(text, "Tag: py3-none-%s\n", platform)
	}
	return text
}

// record lists the files with their checksums and sizes, and itself.
func (w *wheel) record(name string) []byte {
	var list []byte
	for _, file := range slices.Sorted(maps.Keys(w.files)) {
		sum := sha256.Sum256(w.files[file])
		list = fmt.Appendf(list, "%s,sha256=%s,%d\n", file, base64.RawURLEncoding.EncodeToString(sum[:]), len(w.files[file]))
	}
	return fmt.Appendf(list, "%s,,\n", name)
}

// write writes the wheel, the list of its files last.
func (w *wheel) write(to io.Writer) error {
	packed := zip.NewWriter(to)
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		if err := w.add(packed, name, w.files[name]); err != nil {
			return err
		}
	}
	list := w.info("RECORD")
	if err := w.add(packed, list, w.record(list)); err != nil {
		return err
	}
	return packed.Close()
}

// add adds a file to the packed ones.
func (w *wheel) add(packed *zip.Writer, name string, content []byte) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.archive.date}
	header.SetMode(0o644)
	if name == w.script() {
		header.SetMode(0o755)
	}
	entry, err := packed.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = entry.Write(content)
	return err
}

// writeWheel writes the wheel for the system of the archive into a folder.
func writeWheel(a *archive, folder string) error {
	w, err := newWheel(a)
	if err != nil {
		return err
	}
	return create(filepath.Join(folder, w.name()), func(f *os.File) error { return w.write(f) })
}

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// releaseDate is the date of the files in the archive of the tests.
var releaseDate = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// archived returns the files of an archive. The programs are texts; the files of deploy are real.
func archived(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{"LICENSE": "license", "README.md": "# versus 2048\n", "docs/HOSTING.md": "# Hosting\n"}
	for _, program := range programs {
		files[program] = "the program " + program
		files["man/"+program+".1"] = "the page of " + program
		for _, name := range []string{program + ".bash", "_" + program, program + ".fish", program + ".ps1"} {
			files["completion/"+name] = "completes " + name
		}
	}
	for _, name := range append([]string{"arena.default"}, units...) {
		files["deploy/"+name] = content(t, "../../"+name)
	}
	return files
}

// content returns the content of a file.
func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// version returns the project's version.
func version(t *testing.T) string {
	t.Helper()
	return strings.TrimSpace(content(t, "../../../VERSION"))
}

// named returns the name of the archive for a system, such as linux_arm64.
func named(t *testing.T, system string) string {
	t.Helper()
	return "versus2048_" + version(t) + "_" + system
}

// packedIn makes an archive in a folder, as a release has it, and returns its path.
func packedIn(t *testing.T, folder string, files map[string]string) string {
	t.Helper()
	name := named(t, "linux_arm64")
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	w := tar.NewWriter(compressed)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: name + "/" + file, Mode: 0o644, Size: int64(len(files[file])), ModTime: releaseDate}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[file])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := compressed.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, name+".tar.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// made makes the packages and the image of the archive, and returns their folder.
func made(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	packedIn(t, folder, archived(t))
	if err := run([]string{"make", folder}); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Nothing is made without a file, or with an empty file in its place, if an archive lacks the file.
func TestIncompleteArchive(t *testing.T) {
	for _, name := range []string{
		"bot", "lab", "LICENSE", "deploy/arena.default", "deploy/arena-backup.timer", "man/bot.1", "completion/_lab",
	} {
		folder, files := t.TempDir(), archived(t)
		delete(files, name)
		packedIn(t, folder, files)
		if err := run([]string{"make", folder}); err == nil || !strings.Contains(err.Error(), "lacks the file "+name+":") {
			t.Errorf("without %s: error %v", name, err)
		}
	}
}

// The files are the same each time.
func TestMadeTwice(t *testing.T) {
	first, second := made(t), made(t)
	for _, name := range []string{
		named(t, "linux_arm64.deb"), named(t, "linux_arm64.rpm"), named(t, "linux_arm64.oci.tar"),
		"versus2048-" + version(t) + "-py3-none-manylinux_2_17_aarch64.musllinux_1_1_aarch64.whl",
	} {
		if content(t, filepath.Join(first, name)) != content(t, filepath.Join(second, name)) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestOtherArchives(t *testing.T) {
	folder := t.TempDir()
	path := packedIn(t, folder, map[string]string{"../arena": ""})
	if _, err := readArchive(path); err != nil {
		t.Fatal(err) // the name is a key of a map, and no path
	}
	for name, want := range map[string]string{"versus2048_v1.0.0_linux_arm64.tar.gz": "the form", "versus2048_0.0.1_linux_arm64.tar.gz": "no file in the folder"} {
		other := filepath.Join(folder, name)
		if err := os.WriteFile(other, []byte(content(t, path)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readArchive(other); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	for _, args := range [][]string{nil, {"make"}, {"sign", "key"}, {"other", "folder"}} {
		if run(args) == nil {
			t.Errorf("no error for %q", args)
		}
	}
}

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var commitDate = time.Date(2026, 11, 22, 19, 24, 55, 0, time.UTC)

// someFiles are files of an archive. One of them is on disk.
func someFiles(t *testing.T) []file {
	t.Helper()
	path := filepath.Join(t.TempDir(), "built")
	if err := os.WriteFile(path, []byte("program"), 0o600); err != nil {
		t.Fatal(err)
	}
	return []file{{name: "arena", path: path, executable: true}, {name: "docs/HOSTING.md", text: []byte("# Hosting\n")}}
}

// entry is a file as it is read from an archive.
type entry struct {
	name, text string
	mode       os.FileMode
	date       time.Time
}

func wanted() []entry {
	return []entry{{"v1/arena", "program", 0o755, commitDate}, {"v1/docs/HOSTING.md", "# Hosting\n", 0o644, commitDate}}
}

// The archives have the files, and no trace of the machine and the time of their making.
func TestTar(t *testing.T) {
	archive := writtenTwice(t, writeTar)
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	var got []entry
	for r := tar.NewReader(plain); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || header.Uname != "" {
			t.Errorf("%s has an owner", header.Name)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, entry{header.Name, string(text), header.FileInfo().Mode(), header.ModTime.UTC()})
	}
	if !slices.Equal(got, wanted()) {
		t.Errorf("got %v, want %v", got, wanted())
	}
}

func TestZip(t *testing.T) {
	archive := writtenTwice(t, writeZip)
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	var got []entry
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, entry{f.Name, string(text), f.Mode(), f.Modified.UTC()})
	}
	if !slices.Equal(got, wanted()) {
		t.Errorf("got %v, want %v", got, wanted())
	}
}

// writtenTwice returns an archive of someFiles after making another one, which is the same.
func writtenTwice(t *testing.T, write func(io.Writer, string, time.Time, []file) error) []byte {
	t.Helper()
	var first, second bytes.Buffer
	for _, w := range []io.Writer{&first, &second} {
		if err := write(w, "v1", commitDate, someFiles(t)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two archives of the same files differ")
	}
	return first.Bytes()
}

func TestSums(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"b": "", "a": "abc"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeSums(folder); err != nil {
		t.Fatal(err)
	}
	// The values are from FIPS 180-2: for "abc", and for the empty text.
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if got, err := os.ReadFile(filepath.Join(folder, sums)); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

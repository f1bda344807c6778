package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blakesmith/ar"
	"github.com/sassoftware/go-rpmutils"
)

// entry is a file in a package.
type entry struct {
	text string
	mode int64
}

// plain returns a compressed text, decompressed.
func plain(t *testing.T, packed []byte) io.Reader {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// entries returns the files of a compressed tar archive, by their paths.
func entries(t *testing.T, packed []byte) map[string]entry {
	t.Helper()
	found := map[string]entry{}
	for r := tar.NewReader(plain(t, packed)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if header.Uid != 0 || header.Gid != 0 || !header.ModTime.Equal(releaseDate) {
			t.Errorf("%s is of %d:%d and %v", header.Name, header.Uid, header.Gid, header.ModTime)
		}
		if header.Typeflag == tar.TypeReg {
			found[strings.TrimPrefix(header.Name, ".")] = entry{string(text), header.Mode}
		}
	}
}

// members returns the members of a package for Debian.
func members(t *testing.T, path string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	for r := ar.NewReader(strings.NewReader(content(t, path))); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if found[header.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeb(t *testing.T) {
	parts := members(t, filepath.Join(made(t), named(t, "linux_arm64.deb")))
	checkFiles(t, entries(t, parts["data.tar.gz"]), "/usr/share/zsh/vendor-completions/_bot")
	control := entries(t, parts["control.tar.gz"])
	for _, want := range []string{"Package: versus2048\n", "Version: " + version(t) + "\n", "Architecture: arm64\n", "Depends: passwd\n", "Maintainer: "} {
		if text := control["/control"].text; !strings.Contains(text, want) {
			t.Errorf("control has no %q:\n%s", want, text)
		}
	}
	if got := control["/conffiles"].text; got != "/etc/default/arena\n" {
		t.Errorf("conffiles: %q", got)
	}
	for _, script := range []string{"/postinst", "/prerm", "/postrm"} {
		if control[script].text == "" || control[script].mode&0o111 == 0 {
			t.Errorf("%s: %+v", script, control[script])
		}
	}
}

func TestRPM(t *testing.T) {
	file, err := os.Open(filepath.Join(made(t), named(t, "linux_arm64.rpm")))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rpm, err := rpmutils.ReadRpm(file)
	if err != nil {
		t.Fatal(err)
	}
	for tag, want := range map[int]string{
		rpmutils.NAME: "versus2048", rpmutils.VERSION: version(t), rpmutils.ARCH: "aarch64", rpmutils.BUILDHOST: "localhost",
	} {
		if got, err := rpm.Header.GetString(tag); err != nil || got != want {
			t.Errorf("tag %d: %q, %v; want %q", tag, got, err, want)
		}
	}
	payload, err := rpm.PayloadReaderExtended()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]entry{}
	for {
		info, err := payload.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(payload)
		if err != nil {
			t.Fatal(err)
		}
		found[info.Name()] = entry{string(text), int64(info.Mode() & 0o777)}
	}
	checkFiles(t, found, "/usr/share/zsh/site-functions/_bot")
}

// checkFiles checks the files of a package.
func checkFiles(t *testing.T, found map[string]entry, zsh string) {
	t.Helper()
	for path, want := range map[string]entry{
		"/usr/bin/arena":            {"the program arena", 0o755},
		"/usr/bin/bot":              {"the program bot", 0o755},
		"/usr/bin/lab":              {"the program lab", 0o755},
		"/usr/share/man/man1/lab.1": {"the page of lab", 0o644},
		"/usr/share/bash-completion/completions/arena":  {"completes arena.bash", 0o644},
		"/usr/share/fish/vendor_completions.d/bot.fish": {"completes bot.fish", 0o644},
		zsh: {"completes _bot", 0o644},
		"/usr/share/doc/versus2048/docs/HOSTING.md": {"# Hosting\n", 0o644},
		"/usr/share/doc/versus2048/copyright":       {"license", 0o644},
		"/etc/default/arena":                        {content(t, "../../arena.default"), 0o644},
	} {
		if found[path] != want {
			t.Errorf("%s: %+v, want %+v", path, found[path], want)
		}
	}
	for path := range maps.Keys(found) {
		if strings.Contains(path, "local") || strings.HasSuffix(path, ".ps1") {
			t.Errorf("the package has %s", path)
		}
	}
	for _, unit := range units {
		checkUnit(t, unit, found)
	}
}

// checkUnit checks that a unit names only paths of the package.
func checkUnit(t *testing.T, unit string, found map[string]entry) {
	t.Helper()
	text := found[unitFolder+unit].text
	if text == "" || strings.Contains(text, "/usr/local") || strings.Contains(text, "/etc/systemd") {
		t.Errorf("%s:\n%s", unit, text)
	}
	for line := range strings.Lines(text) {
		command, starts := strings.CutPrefix(line, "ExecStart=")
		if _, known := found[strings.Split(command, " ")[0]]; starts && !known {
			t.Errorf("%s starts %s, which the package does not have", unit, command)
		}
		guide, documented := strings.CutPrefix(strings.TrimSpace(line), "Documentation=file:")
		if _, known := found[guide]; documented && !known {
			t.Errorf("%s names %s, which the package does not have", unit, guide)
		}
	}
}

// Packages have each file once.
func TestLayout(t *testing.T) {
	a, err := readArchive(packedIn(t, t.TempDir(), archived(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"deb", "rpm"} {
		files, err := layout(a, format)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, f := range files {
			paths = append(paths, f.path)
		}
		if len(paths) != len(slices.Compact(slices.Clone(paths))) {
			t.Errorf("%s has a path twice: %v", format, paths)
		}
	}
}

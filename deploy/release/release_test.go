package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// someBuilt is a build of two programs that share a module.
func someBuilt() *built {
	info := func(modules ...*debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{
			GoVersion: "go1.26.8",
			Main:      debug.Module{Path: "versus2048", Version: "v1.2.0"},
			Deps:      modules,
			Settings:  []debug.BuildSetting{{Key: "vcs.time", Value: "2026-11-22T19:24:55Z"}},
		}
	}
	shared := &debug.Module{Path: "example.org/shared", Version: "v1.0.0", Sum: "h1:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="}
	replaced := &debug.Module{Path: "example.org/a", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/fork", Version: "v1.1.0"}}
	return &built{version: "1.2.0", system: system{"windows", "arm64"}, parts: []*debug.BuildInfo{info(replaced, shared), info(shared)}}
}

// The list of parts has every module once, as it was built, with its hash.
func TestParts(t *testing.T) {
	var text bytes.Buffer
	if err := someBuilt().writeParts(&text); err != nil {
		t.Fatal(err)
	}
	var bom cdx.BOM
	if err := cdx.NewBOMDecoder(&text, cdx.BOMFileFormatJSON).Decode(&bom); err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, c := range *bom.Components {
		addresses = append(addresses, c.PackageURL)
	}
	const want = "pkg:golang/std@1.26.8 pkg:golang/example.org/fork@v1.1.0 pkg:golang/example.org/shared@v1.0.0"
	if got := strings.Join(addresses, " "); got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
	if got := strings.Join(*(*bom.Dependencies)[0].Dependencies, " "); got != want {
		t.Errorf("the programs depend on %s, want %s", got, want)
	}
	hashes := *(*bom.Components)[2].Hashes
	if len(hashes) != 1 || hashes[0].Value != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("hashes %v", hashes)
	}
}

func TestNames(t *testing.T) {
	b := someBuilt()
	if got := b.name() + " " + b.fileName("arena"); got != "versus2048_1.2.0_windows_arm64 arena.exe" {
		t.Error(got)
	}
	if date, err := b.date(); err != nil || !date.Equal(commitDate) {
		t.Errorf("%v, %v", date, err)
	}
}

// A release has the version of its tag, if there is one.
func TestTag(t *testing.T) {
	for tag, want := range map[string]bool{"v1.2.0": true, "v1.2.1-0.20261122192455-ff011e054c32": true, "v0.0.0-20261122192455-ff011e054c32": true, "v1.1.0": false} {
		b := someBuilt()
		b.parts[0].Main.Version = tag
		if err := b.checkTag(); (err == nil) != want || want && b.tagged() != (tag == "v1.2.0") {
			t.Errorf("%s: tagged %t, error %v", tag, b.tagged(), err)
		}
	}
}

func TestChosen(t *testing.T) {
	if systems, err := chosen(nil); err != nil || len(systems) != 6 {
		t.Errorf("%v, %v", systems, err)
	}
	if systems, err := chosen([]string{"darwin/arm64"}); err != nil || len(systems) != 1 || systems[0] != (system{"darwin", "arm64"}) {
		t.Errorf("%v, %v", systems, err)
	}
	if _, err := chosen([]string{"plan9/386"}); err == nil {
		t.Error("no error for plan9/386")
	}
}

// Files of an earlier release are not mixed with new ones.
func TestEmptyFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	if _, err := emptyFolder(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "old"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := emptyFolder(folder); err == nil {
		t.Error("no error for a folder with files")
	}
}

// An archive has the documents with the folders below, and no code.
func TestCommitted(t *testing.T) {
	b := &built{source: t.TempDir()}
	for _, name := range []string{"LICENSE", "docs/A.md", "docs/doc.go", "docs/adr/0001.md", "cmd/b", "deploy/nginx.conf", "deploy/release/packages/go.mod"} {
		path := filepath.Join(b.source, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"LICENSE": "LICENSE ", "deploy": "deploy/nginx.conf ", "docs": "docs/A.md docs/adr/0001.md "} {
		files, err := b.committed(name)
		var names strings.Builder
		for _, f := range files {
			names.WriteString(f.name + " ")
		}
		if err != nil || names.String() != want {
			t.Errorf("%s: %s, %v; want %s", name, names.String(), err, want)
		}
	}
	if _, err := b.committed("README.md"); err == nil {
		t.Error("no error for a file that the commit does not have")
	}
}

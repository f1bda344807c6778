package main

import (
	"context"
	"debug/buildinfo"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// system is an operating system and an architecture for the programs of an archive.
type system struct{ os, arch string }

func (s system) String() string { return s.os + "/" + s.arch }

// everySystem lists the systems of a release.
func everySystem() []system {
	return []system{
		{"linux", "amd64"},
		{"linux", "arm64"},
		{"darwin", "amd64"},
		{"darwin", "arm64"},
		{"windows", "amd64"},
		{"windows", "arm64"},
	}
}

// programs lists the programs of a release.
func programs() []string { return []string{"arena", "bot", "lab"} }

// built are the programs for one system, of one commit.
type built struct {
	system
	version string // of the project, such as 1.2.0
	source  string // the folder of the clone
	folder  string // of the programs
	parts   []*debug.BuildInfo

	printed []file // the files that the programs print
}

// build builds the programs of the source for a system. They run on every processor of the architecture and need no
// library of the system; on amd64 they find out whether they can use AVX-512.
func build(ctx context.Context, s system, source, folder string) (*built, error) {
	environment := []string{
		"CGO_ENABLED=0", "GOOS=" + s.os, "GOARCH=" + s.arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off",
	}
	args := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", folder + string(filepath.Separator)}
	for _, program := range programs() {
		args = append(args, "./cmd/"+program)
	}
	if _, err := output(ctx, source, environment, "go", args...); err != nil {
		return nil, err
	}
	version, err := os.ReadFile(filepath.Join(source, "VERSION"))
	if err != nil {
		return nil, err
	}
	b := &built{system: s, version: strings.TrimSpace(string(version)), source: source, folder: folder}
	for _, program := range programs() {
		info, err := buildinfo.ReadFile(filepath.Join(folder, b.fileName(program)))
		if err != nil {
			return nil, err
		}
		b.parts = append(b.parts, info)
	}
	return b, b.checkTag()
}

// untagged matches the version that Go gives a commit without a tag.
var untagged = regexp.MustCompile(`^\(devel\)$|[-.]\d{14}-[0-9a-f]{12}$`)

// tagged reports whether the commit has a tag of a version.
func (b *built) tagged() bool { return !untagged.MatchString(b.parts[0].Main.Version) }

// checkTag returns an error if the commit has the tag of another version.
func (b *built) checkTag() error {
	if tag := b.parts[0].Main.Version; b.tagged() && tag != "v"+b.version {
		return fmt.Errorf("the commit has the tag %s, and the file VERSION says %s: correct one of them", tag, b.version)
	}
	return nil
}

// fileName returns the name of a program's file.
func (b *built) fileName(program string) string {
	if b.os == "windows" {
		return program + ".exe"
	}
	return program
}

// date returns the time of the commit.
func (b *built) date() (date time.Time, err error) {
	err = date.UnmarshalText([]byte(b.dateText()))
	return date, err
}

// dateText returns the date of the commit as Go wrote it into the programs, such as 2026-11-22T19:24:55Z, or "" if
// there is none.
func (b *built) dateText() string {
	for _, s := range b.parts[0].Settings {
		if s.Key == "vcs.time" {
			return s.Value
		}
	}
	return ""
}

// name returns the name of the files for this system, without their endings.
func (b *built) name() string {
	return fmt.Sprintf("versus2048_%s_%s_%s", b.version, b.os, b.arch)
}

// modules returns the modules that are in the programs, in the order of their paths.
func (b *built) modules() (modules []*debug.Module) {
	for _, part := range b.parts {
		modules = append(modules, part.Deps...)
	}
	slices.SortFunc(modules, func(a, b *debug.Module) int { return strings.Compare(a.Path, b.Path) })
	return slices.CompactFunc(modules, func(a, b *debug.Module) bool { return a.Path == b.Path })
}

// pack writes the archive and the list of parts into the folder out.
func (b *built) pack(ctx context.Context, out string) error {
	date, err := b.date()
	if err != nil {
		return fmt.Errorf("the programs do not know the date of their commit: %w", err)
	}
	files, err := b.files(ctx)
	if err != nil {
		return err
	}
	write, extension := writeTar, ".tar.gz"
	if b.os == "windows" {
		write, extension = writeZip, ".zip"
	}
	if err := create(filepath.Join(out, b.name()+extension), func(f *os.File) error { return write(f, b.name(), date, files) }); err != nil {
		return err
	}
	return create(filepath.Join(out, b.name()+".cdx.json"), func(f *os.File) error { return b.writeParts(f) })
}

// packSite makes the site that needs no arena, and writes it into an archive in the folder out.
func (b *built) packSite(ctx context.Context, work, out string) error {
	date, err := b.date()
	if err != nil {
		return err
	}
	folder := filepath.Join(work, "site")
	if _, err := output(ctx, b.source, []string{"GOFLAGS=", "GOWORK=off"}, "go", "run", "./deploy/release", "site", "--out", folder); err != nil {
		return err
	}
	files, err := filesBelow(folder, folder)
	if err != nil {
		return err
	}
	name := "versus2048_" + b.version + "_site"
	return create(filepath.Join(out, name+".tar.gz"), func(f *os.File) error { return writeTar(f, name, date, files) })
}

// create makes a new file with the output of write.
func create(path string, write func(*os.File) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) // #nosec G302 -- for everybody
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		_ = file.Close() // writing has failed
		return err
	}
	return file.Close()
}

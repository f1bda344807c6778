package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file of an archive.
type file struct {
	name       string // in the archive's folder, with slashes
	path       string // on this machine; "" if the text is in memory
	text       []byte
	executable bool
}

func (f file) content() ([]byte, error) {
	if f.path == "" {
		return f.text, nil
	}
	return os.ReadFile(f.path)
}

// files returns the files of the archive, sorted by their names.
func (b *built) files(ctx context.Context) (files []file, err error) {
	for _, program := range programs() {
		name := b.fileName(program)
		files = append(files, file{name: name, path: filepath.Join(b.folder, name), executable: true})
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "VERSION", "CITATION.cff", "docs", "deploy"} {
		more, err := b.committed(name)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	files = append(files, b.printed...)
	licenses, err := b.licenses(ctx)
	files = append(files, file{name: "THIRD_PARTY_LICENSES", text: licenses})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, err
}

// committed returns a file of the commit, or all files in a folder and below it, except for Go files and the folder
// deploy/release.
func (b *built) committed(name string) ([]file, error) {
	files, err := filesBelow(b.source, filepath.Join(b.source, name))
	return slices.DeleteFunc(files, func(f file) bool {
		return strings.HasPrefix(f.name, "deploy/release/") || filepath.Ext(f.name) == ".go"
	}), err
}

// filesBelow returns the file at a path, or all files in a folder and below it, in the order of their names. The names
// in the archive are relative to the folder top.
func filesBelow(top, path string) (files []file, err error) {
	err = filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(top, path)
		files = append(files, file{name: filepath.ToSlash(name), path: path})
		return err
	})
	return files, err
}

// licenses returns the licenses of Go and of all modules in the programs. A release must include these texts.
func (b *built) licenses(ctx context.Context) ([]byte, error) {
	args := []string{"list", "-m", "-f", "{{.Path}} {{.Version}}\t{{.Dir}}"}
	for _, module := range b.modules() {
		args = append(args, module.Path)
	}
	list, err := output(ctx, b.source, []string{"GOFLAGS=", "GOWORK=off"}, "go", args...)
	if err != nil {
		return nil, err
	}
	root, err := trimmed(ctx, b.source, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	var all []byte
	for line := range strings.Lines(fmt.Sprintf("Go %s\t%s\n%s", b.parts[0].GoVersion, root, list)) {
		title, folder, _ := strings.Cut(strings.TrimSpace(line), "\t")
		text, err := licensesIn(folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", title, err)
		}
		all = fmt.Appendf(all, "=== %s\n\n%s\n", title, text)
	}
	return all, nil
}

// licensesIn returns the texts of the license files of a module.
func licensesIn(folder string) (text []byte, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		name := strings.ToUpper(entry.Name())
		isLicense := slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, func(start string) bool { return strings.HasPrefix(name, start) })
		if !isLicense || entry.IsDir() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		text = append(append(text, content...), '\n')
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("no license in %s", folder)
	}
	return text, nil
}

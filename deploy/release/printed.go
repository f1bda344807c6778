package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
)

// thisSystem is the system on which the release is made.
func thisSystem() system { return system{runtime.GOOS, runtime.GOARCH} }

// printedFile is a file of a release. A program prints the file's text with `completion KIND`.
type printedFile struct{ kind, name string }

// printedFiles lists the files that a program prints: its manual page, and its completions for shells.
func printedFiles(program string) []printedFile {
	return []printedFile{
		{"man", "man/" + program + ".1"},
		{"bash", "completion/" + program + ".bash"},
		{"zsh", "completion/_" + program},
		{"fish", "completion/" + program + ".fish"},
		{"powershell", "completion/" + program + ".ps1"},
	}
}

// prints returns the files that the programs print. The programs must be built for this system.
func (b *built) prints(ctx context.Context) (files []file, err error) {
	for _, program := range programs() {
		for _, f := range printedFiles(program) {
			text, err := output(ctx, b.folder, nil, filepath.Join(b.folder, b.fileName(program)), "completion", f.kind)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
			files = append(files, file{name: f.name, text: []byte(text)})
		}
	}
	return files, nil
}

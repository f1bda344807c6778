package main

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// archive is an archive of a release, for Linux.
type archive struct {
	name         string // without the ending, such as versus2048_1.0.0_linux_amd64
	version      string // such as 1.0.0
	architecture string // as Go names it
	date         time.Time
	files        map[string][]byte // by their names below the folder, which has the archive's name
}

// archiveName matches the name of an archive. The groups are version and architecture.
var archiveName = regexp.MustCompile(`^versus2048_(\d+\.\d+\.\d+)_linux_([a-z0-9]+)$`)

// readArchive reads an archive.
func readArchive(path string) (*archive, error) {
	a := &archive{name: strings.TrimSuffix(filepath.Base(path), ".tar.gz"), files: map[string][]byte{}}
	match := archiveName.FindStringSubmatch(a.name)
	if match == nil {
		return nil, errors.New("the name is not of the form versus2048_1.0.0_linux_amd64.tar.gz")
	}
	a.version, a.architecture = match[1], match[2]
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return a, a.read(tar.NewReader(plain))
}

// read reads the files. All of them have the same date.
func (a *archive) read(from *tar.Reader) error {
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		name, below := strings.CutPrefix(header.Name, a.name+"/")
		if !below || header.Typeflag != tar.TypeReg {
			return fmt.Errorf("%s is no file in the folder %s", header.Name, a.name)
		}
		if a.files[name], err = io.ReadAll(from); err != nil {
			return err
		}
		a.date = header.ModTime.UTC()
	}
}

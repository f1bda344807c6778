package main

import (
	"archive/tar"
	"archive/zip"
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

// archive is an archive of a release.
type archive struct {
	name         string // without the ending, such as versus2048_1.0.0_linux_amd64
	version      string // such as 1.0.0
	system       string // as Go names it, such as darwin
	architecture string // as Go names it, such as amd64
	date         time.Time
	files        map[string][]byte // by their names below the folder, which has the archive's name
}

// archiveName matches the name of an archive. The groups are its name without the ending, version, system,
// architecture and ending.
var archiveName = regexp.MustCompile(`^(versus2048_(\d+\.\d+\.\d+)_(linux|darwin|windows)_(amd64|arm64))\.(tar\.gz|zip)$`)

// readArchive reads an archive.
func readArchive(path string) (*archive, error) {
	match := archiveName.FindStringSubmatch(filepath.Base(path))
	if match == nil {
		return nil, errors.New("the name is not of the form versus2048_1.0.0_linux_amd64.tar.gz")
	}
	a := &archive{name: match[1], version: match[2], system: match[3], architecture: match[4], files: map[string][]byte{}}
	if match[5] == "zip" {
		return a, a.readZip(path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	return a, a.readTar(tar.NewReader(plain))
}

// add adds a file of the archive. All files of an archive have the same date.
func (a *archive) add(path string, date time.Time, from io.Reader) (err error) {
	name, below := strings.CutPrefix(path, a.name+"/")
	if !below {
		return fmt.Errorf("%s is no file in the folder %s", path, a.name)
	}
	a.date = date.UTC()
	a.files[name], err = io.ReadAll(from)
	return err
}

// need returns an error unless the archive has the files of these names.
func (a *archive) need(names ...string) error {
	for _, name := range names {
		if _, found := a.files[name]; !found {
			return fmt.Errorf("the archive lacks the file %s: make it again with deploy/release", name)
		}
	}
	return nil
}

// readTar reads the files.
func (a *archive) readTar(from *tar.Reader) error {
	for {
		header, err := from.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := a.add(header.Name, header.ModTime, from); err != nil {
			return err
		}
	}
}

// readZip reads the files.
func (a *archive) readZip(path string) error {
	packed, err := zip.OpenReader(path)
	if err != nil {
		return err
	}
	defer packed.Close()
	for _, f := range packed.File {
		content, err := f.Open()
		if err != nil {
			return err
		}
		if err := errors.Join(a.add(f.Name, f.Modified, content), content.Close()); err != nil {
			return err
		}
	}
	return nil
}

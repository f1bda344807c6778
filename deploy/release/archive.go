package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// mode returns the permissions of a file.
func (f file) mode() os.FileMode {
	if f.executable {
		return 0o755
	}
	return 0o644
}

// writeTar writes the files as a compressed tar archive with one folder. All files have the given date, and the owner
// and group 0.
func writeTar(w io.Writer, folder string, date time.Time, files []file) error {
	compressed := gzip.NewWriter(w) // the best compression takes twice as long, and saves two thousandths
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		content, err := f.content()
		if err != nil {
			return err
		}
		header := &tar.Header{
			Typeflag: tar.TypeReg, Format: tar.FormatPAX,
			Name: folder + "/" + f.name, Size: int64(len(content)), Mode: int64(f.mode()), ModTime: date,
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(content); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), compressed.Close())
}

// writeZip writes the files as a zip archive with one folder. All files have the given date.
func writeZip(w io.Writer, folder string, date time.Time, files []file) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		content, err := f.content()
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode())
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(content); err != nil {
			return err
		}
	}
	return archive.Close()
}

// sums is the name of the file with the checksums, in the form that sha256sum -c reads.
const sums = "SHA256SUMS"

// writeSums writes the checksums of all files in the folder and below it.
func writeSums(folder string) error {
	files, err := filesBelow(folder, folder)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, f := range files {
		sum, err := sumOfFile(f.path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sum, f.name)
	}
	return create(filepath.Join(folder, sums), func(f *os.File) error {
		_, err := io.WriteString(f, text.String())
		return err
	})
}

// sumOfFile returns the SHA-256 of a file.
func sumOfFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hash.Sum(nil), err
}

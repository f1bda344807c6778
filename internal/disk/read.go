package disk

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"versus2048/internal/text/plain"
)

// ErrNotRegular means that a path does not name a regular file, but a folder, a device or a pipe.
var ErrNotRegular = errors.New("it is no file")

// Open opens a file to be read, and returns its size in bytes. Folders, devices and pipes are refused at once, with
// an error that wraps ErrNotRegular.
func Open(path string) (file *os.File, size int64, err error) {
	// Without nonblock, opening a named pipe waits until somebody writes to it.
	file, err = os.OpenFile(path, os.O_RDONLY|nonblock, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

// ReadText is [Read] for a text that a person may have written. It removes a byte order mark.
func ReadText(path string) ([]byte, error) {
	text, err := Read(path)
	return plain.TrimBOM(text), err
}

// Read returns the content of a file. It refuses the same files as Open.
func Read(path string) ([]byte, error) {
	file, size, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // it was only read
	content := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	_, err = content.ReadFrom(file)
	return content.Bytes(), err
}

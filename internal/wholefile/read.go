package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrNoFile means that at a path there is something else than a file: a folder, a device or a pipe.
var ErrNoFile = errors.New("it is no file")

// Open opens a file to be read, and says how many bytes it has. What is no file it refuses at once, by an
// error that wraps ErrNoFile.
func Open(path string) (file *os.File, size int64, err error) {
	// Without O_NONBLOCK, opening a named pipe waits until somebody writes to it.
	file, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNoFile}
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

package disk

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// ExistsError means that a file would be replaced. It wraps [fs.ErrExist].
type ExistsError struct{ Path string }

func (e *ExistsError) Error() string { return e.Path + " already exists" }
func (e *ExistsError) Unwrap() error { return fs.ErrExist }

// Write writes a file under a temporary name beside the path, and then renames it. If write fails, or the disk is
// full, nothing new is left and an old file stays. Without replace Write returns an *ExistsError if there is a file.
// If the path is a symbolic link, Write replaces its target. Devices, pipes, and files that the process has open
// already, such as /dev/stdout, are written to as they are.
func Write(path string, replace bool, write func(io.Writer) error) error {
	return writeWith(path, replace, usualRights, write)
}

// usualRights are the rights of a new file, less the process's umask.
const usualRights = 0o666

// WriteSecret is Write for a text that only this user may read.
func WriteSecret(path string, replace bool, text []byte) error {
	return writeWith(path, replace, 0o600, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// writeWith is Write with the rights of a new file.
func writeWith(path string, replace bool, rights fs.FileMode, write func(io.Writer) error) error {
	if isOpen(path) {
		return writeThrough(path, write)
	}
	path, before, err := target(path, replace)
	if err != nil {
		return err
	}
	if before != nil && !before.Mode().IsRegular() {
		return writeThrough(path, write)
	}
	temporary, err := create(path, before, rights)
	if err != nil {
		return err
	}
	if err := errors.Join(fill(temporary, write), temporary.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	if replace {
		err = os.Rename(temporary.Name(), path)
	} else {
		err = Name(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// Check returns the error that Write would return before it writes a file. Check does not open devices and pipes. Call
// it before long work that makes the content of the file.
func Check(path string, replace bool) error {
	if isOpen(path) {
		return nil
	}
	path, before, err := target(path, replace)
	if err != nil || before != nil && !before.Mode().IsRegular() {
		return err
	}
	temporary, err := create(path, before, usualRights)
	if err != nil {
		return err
	}
	return errors.Join(temporary.Close(), os.Remove(temporary.Name()))
}

// target follows symbolic links. It returns the target's path, and its description or nil if there is no such file.
// It returns an error if the target cannot be written to, or must not be replaced.
func target(path string, replace bool) (string, fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(path); err == nil {
			return path, nil, fmt.Errorf("%s: it is a symbolic link to a file that is not there: remove it, or name another file", path)
		}
		return path, nil, nil
	case err != nil:
		return path, nil, err
	case info.IsDir():
		return path, nil, fmt.Errorf("%s: it is a folder, want a file", path)
	case !info.Mode().IsRegular():
		return path, info, nil
	}
	path, err = filepath.EvalSymlinks(path)
	if err == nil && !replace {
		err = &ExistsError{path}
	}
	return path, info, err
}

// isOpen reports whether a path stands for something that the process has open, such as a file to which a shell
// redirects its output.
func isOpen(path string) bool {
	path = filepath.Clean(path)
	return standard(path) != nil || strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/self/fd/")
}

// standard returns the standard output or error that a clean path stands for, or nil.
func standard(path string) *os.File {
	switch path {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return os.Stdout
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return os.Stderr
	}
	return nil
}

// writeThrough writes to a device, a pipe or an open file. In an open file it writes after the present content.
func writeThrough(path string, write func(io.Writer) error) error {
	if file := standard(filepath.Clean(path)); file != nil { // if opened once more, it would have another position
		buffered := bufio.NewWriter(file)
		return errors.Join(write(buffered), buffered.Flush())
	}
	// Without nonblock, opening a named pipe waits until somebody reads from it.
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|nonblock, 0)
	if errors.Is(err, syscall.ENXIO) {
		return fmt.Errorf("%w: nobody reads from it", err)
	}
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	return errors.Join(write(buffered), buffered.Flush(), file.Close())
}

// create creates a temporary file beside the path, with the rights of the file that it will replace, or of a new file.
func create(path string, before fs.FileInfo, rights fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s.%08x.unfinished", path, rand.Uint32())
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, rights)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if failure := (*fs.PathError)(nil); errors.As(err, &failure) {
			failure.Path = path // the one that the user knows
		}
		if err != nil {
			return nil, err
		}
		if before != nil {
			_ = file.Chmod(before.Mode().Perm()) // some file systems have no rights
		}
		return file, nil
	}
}

// fill writes the content to the disk.
func fill(file *os.File, write func(io.Writer) error) error {
	buffered := bufio.NewWriter(file)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return file.Sync()
}

// Name gives a temporary file its name. It returns an *ExistsError, and leaves the temporary file, if another file has
// taken the name meanwhile.
func Name(temporary, path string) error {
	err := os.Link(temporary, path)
	switch {
	case err == nil:
		return os.Remove(temporary)
	case errors.Is(err, fs.ErrExist):
		return &ExistsError{path}
	}
	// Some file systems have no hard links.
	if _, err := os.Lstat(path); err == nil {
		return &ExistsError{path}
	}
	return os.Rename(temporary, path)
}

// Sync writes a file from the system's memory to the disk.
func Sync(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// Remove removes a file, if there is one.
func Remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

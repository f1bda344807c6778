//go:build unix

package disk

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// Accessible returns an error unless this process may read a file or folder and, with writing, also write to it.
func Accessible(path string, writing bool) error {
	mode := uint32(unix.R_OK)
	if writing {
		mode |= unix.W_OK
	}
	if err := unix.Access(path, mode); err != nil {
		return &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return nil
}

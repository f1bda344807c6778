//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

// Accessible returns an error if there is no such file or folder or, with writing, if a file is read-only. Only
// opening a file shows whether this process may read it.
func Accessible(path string, writing bool) error {
	info, err := os.Stat(path)
	if err == nil && writing && !info.IsDir() && info.Mode().Perm()&0o200 == 0 {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return err
}

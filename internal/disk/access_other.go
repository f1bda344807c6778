//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

// Accessible returns an error if this process may not write to a file. It does not know whether this process
// may read the file: only opening it tells.
func Accessible(path string, writing bool) error {
	info, err := os.Stat(path)
	if err == nil && writing && !info.IsDir() && info.Mode().Perm()&0o200 == 0 {
		err = &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	return err
}

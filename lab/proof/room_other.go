//go:build !linux

package proof

import (
	"errors"
	"os"
)

// reserve returns errors.ErrUnsupported: on this system only writing takes room on the disk.
func reserve(*os.File, int64) error { return errors.ErrUnsupported }

//go:build !linux

package proof

import (
	"errors"
	"os"
)

// reserve says that no room can be taken on the disk but by writing.
func reserve(*os.File, int64) error { return errors.ErrUnsupported }

//go:build linux || darwin

package disk

import (
	"fmt"
	"math"

	"golang.org/x/sys/unix"
)

// Free returns the number of bytes that a user without special rights can still write to the disk of a file
// or folder.
func Free(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, fmt.Errorf("asking for the free space of the disk of %s: %w", path, err)
	}
	return int64(min(float64(s.Bavail)*unit(&s), math.MaxInt64/2)), nil
}

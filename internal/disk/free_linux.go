package disk

import (
	"cmp"

	"golang.org/x/sys/unix"
)

// unit returns the size in bytes of the blocks that s counts. Bsize is larger on some disks, such as a folder of a
// macOS host.
func unit(s *unix.Statfs_t) float64 { return float64(cmp.Or(s.Frsize, s.Bsize)) }

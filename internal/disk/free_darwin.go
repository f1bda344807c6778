package disk

import "golang.org/x/sys/unix"

// unit returns the bytes of a block in the counts of s.
func unit(s *unix.Statfs_t) float64 { return float64(s.Bsize) }

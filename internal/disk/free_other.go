//go:build !linux && !darwin

package disk

import "math"

// Free returns the number of bytes that can still be written to the disk of a file or folder. On this system the
// number is unknown, and Free returns more than anybody needs.
func Free(string) (int64, error) { return math.MaxInt64 / 2, nil }

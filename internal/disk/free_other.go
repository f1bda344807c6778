//go:build !linux && !darwin

package disk

import "math"

// Free returns how many bytes can still be written to the disk that a file or folder is on. Here it does
// not know, and returns more than anybody needs.
func Free(string) (int64, error) { return math.MaxInt64 / 2, nil }

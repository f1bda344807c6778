//go:build !js

package searching

import "sync/atomic"

// load reads a word that another thread may be writing.
func load(word *uint64) uint64 { return atomic.LoadUint64(word) }

//go:build !linux

package check

// groupMemory is not known on these systems.
func groupMemory(int) (bytes int64, ok bool) { return 0, false }

// groupSize is not known on these systems.
func groupSize(int) (n int, ok bool) { return 0, false }

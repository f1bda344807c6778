//go:build !unix

package clock

// holds reports whether a read of the descriptor would return at once, as far as the system tells.
func holds(uintptr) bool { return false }

//go:build !amd64

package learning

// prefetch does nothing on this architecture.
func prefetch(*weight, *uint32, int) {}

//go:build unix

package clock

import "golang.org/x/sys/unix"

// holds reports whether a read of the descriptor would return at once.
func holds(descriptor uintptr) bool {
	// #nosec G115 -- a descriptor is a small number
	ready := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, 0)
	return err == nil && n > 0
}

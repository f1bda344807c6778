//go:build unix

package clock

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorTime returns the processor time that this process has used so far, in all its threads, or 0 if the
// system does not tell it.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// descriptorReadable reports whether a read of the descriptor would return at once.
func descriptorReadable(descriptor uintptr) bool {
	// #nosec G115 -- a descriptor is a small number
	ready := []unix.PollFd{{Fd: int32(descriptor), Events: unix.POLLIN}}
	n, err := unix.Poll(ready, 0)
	return err == nil && n > 0
}

//go:build unix

package clock

import (
	"syscall"
	"time"
)

// ProcessorTime returns the processor time that this process has used so far, in all its threads, or 0
// where the system does not tell.
func ProcessorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

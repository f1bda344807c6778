//go:build unix

package stranger

import "syscall"

// lowestPriority lets a process run only when no other one needs the processor.
func lowestPriority(pid int) error { return syscall.Setpriority(syscall.PRIO_PROCESS, pid, 19) }

//go:build unix

package stranger

import "syscall"

// lowestPriority gives a process little processor time while other processes need the processor.
func lowestPriority(pid int) error { return syscall.Setpriority(syscall.PRIO_PROCESS, pid, 19) }

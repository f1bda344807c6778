//go:build unix

package gate

import "syscall"

// descriptors returns the number of files and sockets that this process may open, at most 1<<20. If the system does not
// tell the number, descriptors returns the constant most.
func descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return most
	}
	return int(min(uint64(limit.Cur), 1<<20))
}

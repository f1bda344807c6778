package proof

import (
	"errors"
	"os"
	"syscall"
)

// reserve takes room on the disk for the first bytes of a file, and makes the file at least that large. Bytes in the
// file keep their values. reserve returns errors.ErrUnsupported on a disk that cannot reserve room.
func reserve(file *os.File, size int64) error {
	for {
		err := syscall.Fallocate(int(file.Fd()), 0, 0, size)
		if !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("fallocate", err)
		}
	}
}

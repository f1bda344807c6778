package results

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// lockedByte is the position of the byte that an arena locks in the database: one terabyte. SQLite
// locks bytes just above a gigabyte, and other locks do not disturb it.
const lockedByte = 1 << 40

// lockDatabase locks the file itself. The lock belongs to the returned file. Locks of SQLite belong
// to the process, so that any other use of the database in the process can release them. Such a use
// does not release this lock.
func lockDatabase(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	wanted := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: lockedByte, Len: 1}
	err = unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, &wanted)
	switch {
	case err == nil:
		return file, nil
	case errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES):
		err = ErrInUse
	default:
		err = &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return nil, errors.Join(err, file.Close())
}

// checkNames returns a *LinkedError for a file with several names.
func checkNames(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
		return &LinkedError{int(stat.Nlink)}
	}
	return nil
}

package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"versus2048/internal/disk"
)

// NoRoomError means that the disk would have too little room left for what is to be recorded.
type NoRoomError struct {
	Path   string // of the database
	Free   int64  // bytes on its disk
	Needed int64  // of these, what the database needs to record what has been written
	Keep   int64  // that are to stay free
}

func (e *NoRoomError) Error() string {
	return fmt.Sprintf("the disk of %s has %d MiB free, of which %d MiB are needed to record what has been read so far and %d MiB are to stay free: "+
		"make room on the disk, or let less stay free (arena import --keep-free); nothing is imported", e.Path, e.Free>>20, e.Needed>>20, e.Keep>>20)
}

// room is the room that a transaction must leave on the disk of its database.
type room struct {
	path string // of the database
	keep int64  // bytes, 0 for a transaction that may fill the disk
	free func(path string) (int64, error)
}

func newRoom(path string, keep int64) room { return room{path, keep, disk.Free} }

// check returns a *NoRoomError if the disk would have too little room left. SQLite has written the
// transaction to its log, and needs as much again to copy it into the database.
func (r room) check() error {
	if r.keep == 0 {
		return nil
	}
	free, err := r.free(r.path)
	if err != nil {
		return err
	}
	needed := int64(0)
	switch log, err := os.Stat(r.path + "-wal"); {
	case err == nil:
		needed = log.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if free-needed < r.keep {
		return &NoRoomError{r.path, free, needed, r.keep}
	}
	return nil
}

package proof

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// A state's file is a header and the table itself, mapped into memory: the table outlives even a process that is
// killed. Bounds do not depend on a claim, so the file serves all claims about one game. Several processes may use the
// file at once.

// stateHeader is the first line of a state's file. Zeros fill it up to headerBytes.
const stateHeader = "versus 2048 proof state 1 %v %v\n"

// headerBytes is the size of the header: one bucket, so that every bucket fills a cache line.
const headerBytes = bucketBytes

// StateError is the error for a file that is not a state of the game to be searched.
type StateError struct{ Path, Reason string }

func (e *StateError) Error() string { return fmt.Sprintf("state %s: %s", e.Path, e.Reason) }

// memory returns the words of a table, and a function that releases them.
func memory(c Config) ([]uint64, func() error, error) {
	if c.State == "" {
		return make([]uint64, c.Memory/bucketBytes*bucketWords), func() error { return nil }, nil
	}
	// Without O_NONBLOCK, opening a named pipe might wait for ever.
	file, err := os.OpenFile(c.State, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o644) // #nosec G304 G302: the user's file, which is no secret
	if err != nil {
		return nil, nil, fmt.Errorf("state: %w", err)
	}
	defer file.Close() // the mapping remains
	if err := prepare(file, c); err != nil {
		return nil, nil, err
	}
	content, err := mmap.Map(file, mmap.RDWR, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("state %s: %w", c.State, err)
	}
	slots := content[headerBytes:]
	words := unsafe.Slice((*uint64)(unsafe.Pointer(&slots[0])), len(slots)/8) // #nosec G103: pages are aligned
	return words, content.Unmap, nil
}

// prepare makes an empty table in a new file, or checks the header and the size of an existing one. If there is no room
// for a new file, prepare closes and removes it.
func prepare(file *os.File, c Config) error {
	header := make([]byte, headerBytes)
	copy(header, fmt.Sprintf(stateHeader, c.Rules, c.Size))
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if !info.Mode().IsRegular() {
		return &StateError{c.State, "it is not a file"}
	}
	fresh, err := isNew(file, c, header)
	if err != nil {
		return err
	}
	table := c.Memory / bucketBytes * bucketBytes
	if size := info.Size() - headerBytes; size > table || size < table && !fresh {
		return &StateError{c.State, fmt.Sprintf("its table has %d bytes: allow exactly that with --memory, or name another file", size)}
	}
	err = allot(file, headerBytes+table, fresh)
	if err == nil && fresh {
		_, err = file.WriteAt(header, 0) // last: a file with a header is complete
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("state %s: no room for a table of %d bytes: allow less with --memory, or name a file on another disk: %w", c.State, table, err)
	if fresh {
		err = errors.Join(err, file.Close(), os.Remove(c.State)) // Windows removes no open file
	}
	return err
}

// isNew reports whether a file has no table yet. A process that was killed may have left only zeros in it or, in an
// earlier version, only the header. isNew returns a *StateError for a file with anything else in place of the header.
func isNew(file *os.File, c Config, header []byte) (bool, error) {
	in := bufio.NewReaderSize(file, 1<<16)
	if found, _ := in.Peek(len(header)); string(found) == string(header) {
		_, err := in.Peek(len(header) + 1)
		return errors.Is(err, io.EOF), nil
	}
	for {
		switch b, err := in.ReadByte(); {
		case errors.Is(err, io.EOF):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("state: %w", err)
		case b != 0:
			return false, &StateError{c.State, fmt.Sprintf("it is not the state of a proof about %v on %v", c.Rules, c.Size)}
		}
	}
}

// allot reserves room on the disk for the first size bytes of a file: without room for a word of the mapped table, the
// system would end the process. If fresh is true, allot may overwrite the file with zeros.
func allot(file *os.File, size int64, fresh bool) error {
	err := reserve(file, size)
	switch {
	case !errors.Is(err, errors.ErrUnsupported):
		return err
	case fresh:
		return writeZeros(file, size)
	}
	return nil
}

// writeZeros writes zeros over the first size bytes of a file.
func writeZeros(file *os.File, size int64) error {
	zeros := make([]byte, 1<<20)
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := file.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return nil
}

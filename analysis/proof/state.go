package proof

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"

	"github.com/edsrzf/mmap-go"
)

// A state's file is a header and the table itself, mapped into memory: what is in the
// table outlives the process, however that ends. Bounds hold whatever the claim is, so
// the file serves all claims about the same game, and several processes at once.

// stateHeader is the first line of a state's file; zeros fill it up.
const stateHeader = "versus 2048 proof state 1 %v %v\n"

// headerBytes is a multiple of what a bucket takes.
const headerBytes = bucketBytes

// StateError is the error for a file that is not a state of the game to be searched.
type StateError struct{ Path, Reason string }

func (e *StateError) Error() string { return fmt.Sprintf("state %s: %s", e.Path, e.Reason) }

// memory returns the words of a table, and what releases them.
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

// prepare makes an empty table in a new file, and checks another one.
func prepare(file *os.File, c Config) error {
	header := make([]byte, headerBytes)
	copy(header, fmt.Sprintf(stateHeader, c.Rules, c.Size))
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	want := headerBytes + c.Memory/bucketBytes*bucketBytes
	switch {
	case !info.Mode().IsRegular():
		return &StateError{c.State, "it is not a file"}
	case info.Size() == 0:
		_, err := file.WriteAt(header, 0)
		return errors.Join(err, file.Truncate(want))
	}
	found := make([]byte, headerBytes)
	if _, err := io.ReadFull(file, found); err != nil || string(found) != string(header) {
		return &StateError{c.State, fmt.Sprintf("it is not the state of a proof about %v on %v", c.Rules, c.Size)}
	}
	if info.Size() != want {
		return &StateError{c.State, fmt.Sprintf("its table has %d bytes: allow exactly that with --memory, or name another file", info.Size()-headerBytes)}
	}
	return nil
}

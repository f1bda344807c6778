package proof

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"

	"versus2048/players/certificate"
	"versus2048/rules"
)

// A LayerState is a file of layers that has no end yet: each layer is added once it is finished. If a killed
// process left a part of a layer, that part is cut off.
type LayerState struct {
	file *os.File
	lock *flock.Flock
	size rules.Size
	out  *certificate.LayerWriter
	end  int64 // the offset of the end of the last whole layer
}

// OpenLayers opens or begins the file of a state for boards of a size, and calls known for each layer in it, with
// the offset of the layer's end. It returns a *StateError for a file that is damaged, belongs to something
// else, is finished or is in use, and the error of known.
func OpenLayers(path string, size rules.Size, firstLine string, known func(l certificate.Layer, end int64) error) (*LayerState, error) {
	lock, err := Lock(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o644) // #nosec G304 G302: the user's file, which is no secret
	if err != nil {
		return nil, fmt.Errorf("state: %w", errors.Join(err, lock.Close()))
	}
	s := &LayerState{file: file, lock: lock, size: size}
	if err := s.read(path, size, firstLine, known); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Lock locks a state, which is a file or a directory, by a file beside it. It returns a *StateError for a state in use.
// The caller closes the lock.
func Lock(path string) (*flock.Flock, error) {
	lock := flock.New(filepath.Clean(path) + ".lock")
	switch locked, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("state: %w", err)
	case !locked:
		return nil, &StateError{Path: path, Reason: "another process works on it"}
	}
	return lock, nil
}

// Close unlocks and closes the file.
func (s *LayerState) Close() error { return errors.Join(s.file.Close(), s.lock.Close()) }

// read reads the layers in the file, and prepares it for more.
func (s *LayerState) read(path string, size rules.Size, firstLine string, known func(certificate.Layer, int64) error) error {
	info, err := s.file.Stat()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if !info.Mode().IsRegular() {
		return &StateError{Path: path, Reason: "it is not a file"}
	}
	s.end = int64(len(firstLine))
	if info.Size() == 0 {
		s.out, err = certificate.NewLayerWriter(s.file, size, firstLine)
		return err
	}
	first := make([]byte, len(firstLine))
	if _, err := io.ReadFull(s.file, first); err != nil || string(first) != firstLine {
		return &StateError{Path: path, Reason: fmt.Sprintf("it does not begin with %q", firstLine)}
	}
	r := certificate.NewLayerReader(s.file, size, s.end)
	for {
		l, err := r.Next()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if errors.Is(err, io.EOF) {
			return &StateError{Path: path, Reason: "it is a finished certificate, which cannot be continued: name another file"}
		}
		if err != nil {
			return &StateError{Path: path, Reason: err.Error()}
		}
		if err := known(l, r.Offset()); err != nil {
			return err
		}
	}
	s.end = r.Offset()
	if err := s.file.Truncate(s.end); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if _, err = s.file.Seek(s.end, io.SeekStart); err != nil {
		return err
	}
	s.out, err = certificate.NewLayerWriter(s.file, size, "")
	return err
}

// Add writes a layer, and returns the offset of its end.
func (s *LayerState) Add(l certificate.Layer) (end int64, err error) {
	before := s.out.Bytes()
	if err := s.out.Write(l); err != nil {
		return 0, fmt.Errorf("state: %w", err)
	}
	s.end += s.out.Bytes() - before
	return s.end, s.file.Sync()
}

// Read returns the layer between two offsets.
func (s *LayerState) Read(begin, end int64) (certificate.Layer, error) {
	l, err := certificate.NewLayerReader(io.NewSectionReader(s.file, begin, end-begin), s.size, begin).Next()
	if err != nil {
		return l, fmt.Errorf("state: %w", err)
	}
	return l, nil
}

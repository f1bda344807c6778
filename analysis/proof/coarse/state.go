package coarse

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gofrs/flock"

	"versus2048/analysis/proof"
)

// A state is a certificate that has no end yet: its file gets each layer once it is
// finished. What a killed process left of a layer is cut off.
type state struct {
	file *os.File
	lock *flock.Flock
	*Writer
}

// openState opens or begins the file of a state, and calls known for each of its layers.
func openState(c Config, known func(Layer) error) (*state, error) {
	lock := flock.New(c.State + ".lock")
	switch locked, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("state: %w", err)
	case !locked:
		return nil, &proof.StateError{Path: c.State, Reason: "another process works on it"}
	}
	file, err := os.OpenFile(c.State, os.O_RDWR|os.O_CREATE, 0o644) // #nosec G304 G302: the user's file, which is no secret
	if err != nil {
		return nil, fmt.Errorf("state: %w", errors.Join(err, lock.Close()))
	}
	s := &state{file: file, lock: lock}
	if err := s.read(c, known); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *state) close() error { return errors.Join(s.file.Close(), s.lock.Close()) }

// read reads the layers that are there, and makes ready for more.
func (s *state) read(c Config, known func(Layer) error) error {
	begin := new(bytes.Buffer)
	w, _ := NewWriter(begin, c) // a buffer takes all
	s.Writer = w
	w.out = s.file
	info, err := s.file.Stat()
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if info.Size() == 0 {
		_, err := s.file.Write(begin.Bytes())
		return err
	}
	first := make([]byte, begin.Len())
	if _, err := io.ReadFull(s.file, first); err != nil || !bytes.Equal(first, begin.Bytes()) {
		return &proof.StateError{Path: c.State, Reason: fmt.Sprintf("it does not begin with %q", begin)}
	}
	r, err := NewReader(io.MultiReader(begin, s.file))
	if err != nil {
		return err
	}
	for {
		l, err := r.Next()
		if errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return &proof.StateError{Path: c.State, Reason: err.Error()}
		}
		if err := known(l); err != nil {
			return err
		}
	}
	if err := s.file.Truncate(r.read); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	_, err = s.file.Seek(r.read, io.SeekStart)
	return err
}

// add keeps a layer that was found.
func (s *state) add(l Layer) error {
	if err := s.Write(l); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	return s.file.Sync()
}

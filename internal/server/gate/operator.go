package gate

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"versus2048/internal/disk"
	"versus2048/internal/text/plain"
)

// OperatorFile is the file that proves to an arena that a command runs on its machine as the user who started the
// arena: only that user can read the file.
type OperatorFile struct {
	Path    string `json:"-"`
	Address string `json:"address"` // where the arena listens; the secret is sent nowhere else
	Secret  string `json:"secret"`  // new in each file
}

// OperatorSuffix ends the names of these files.
const OperatorSuffix = ".operator"

// NewSecret returns a secret for an operator on this machine.
func NewSecret() string { return rand.Text() }

// WriteOperatorFile writes DATABASE.operator beside the database of an arena, with the arena's address and a new
// secret. It replaces any file of that name, even a link, in one step: no reader sees a part of the file, and a link
// that somebody else has put there is not followed.
func WriteOperatorFile(database, address string) (OperatorFile, error) {
	return OperatorFile{Address: address, Secret: NewSecret()}.Write(database)
}

// Write writes the file with its address and its secret as [WriteOperatorFile] does.
func (f OperatorFile) Write(database string) (OperatorFile, error) {
	path, err := filepath.Abs(database + OperatorSuffix)
	if err != nil {
		return f, fmt.Errorf("the operator's file: %w", err)
	}
	f.Path = path
	text, err := json.Marshal(f) // #nosec G117 -- the file exists to keep the secret
	if err != nil {
		return f, fmt.Errorf("the operator's file: %w", err)
	}
	if err := replaceFile(path, append(text, '\n')); err != nil {
		return f, fmt.Errorf("the operator's file %s: %w", path, err)
	}
	return f, nil
}

// replaceFile replaces the file at path, if there is one, by a file that only this user can read and write.
func replaceFile(path string, text []byte) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*") // new, with mode 0600
	if err != nil {
		return err
	}
	_, err = temporary.Write(text)
	err = errors.Join(err, temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// Remove removes the file, unless another arena has replaced it. It keeps a file that it cannot read.
func (f OperatorFile) Remove() error {
	if f.Path == "" {
		return nil // it was never written
	}
	now, err := ReadOperatorFile(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && now.Secret != f.Secret:
		return nil
	case err != nil:
		return fmt.Errorf("the operator's file is kept, as it may be another arena's; remove it if no arena runs: %w", err)
	}
	return os.Remove(f.Path)
}

// maxOperatorFile is the length of the longest operator's file that is read, in bytes.
const maxOperatorFile = 4096

// ReadOperatorFile reads the file that an arena names. The arena may name any file, so ReadOperatorFile returns an
// error, before it reads anything, for a path that is relative or does not end with OperatorSuffix, for a file that is
// not regular, and, except on Windows, for a file that others can access.
func ReadOperatorFile(path string) (f OperatorFile, err error) {
	if !strings.HasSuffix(path, OperatorSuffix) || !filepath.IsAbs(path) {
		return f, fmt.Errorf("%q is no operator's file", path)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return f, err
	}
	if !info.Mode().IsRegular() {
		return f, fmt.Errorf("%s is not a plain file", path)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return f, fmt.Errorf("%s can be read by others than its owner: no arena wrote it", path)
	}
	file, _, err := disk.Open(path)
	if err != nil {
		return f, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxOperatorFile))
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(plain.TrimBOM(text), &f); err != nil || f.Secret == "" {
		return f, fmt.Errorf("%s is no operator's file", path)
	}
	f.Path = path
	return f, nil
}

//go:build linux

package proof

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Where no room can be reserved, writeZeros takes it, or returns the error of a full disk.
func TestWriteZeros(t *testing.T) {
	for _, size := range []int64{0, 100, 1 << 20, 1<<20 + 1} {
		path := filepath.Join(t.TempDir(), "file")
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(writeZeros(file, size), file.Close()); err != nil {
			t.Fatal(err)
		}
		if content, err := os.ReadFile(path); err != nil || !bytes.Equal(content, make([]byte, size)) {
			t.Errorf("%d zeros: %d bytes, error %v", size, len(content), err)
		}
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	if err := writeZeros(full, 1<<20); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("on a full disk: error %v", err)
	}
}

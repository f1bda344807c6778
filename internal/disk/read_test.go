//go:build unix

package disk_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"versus2048/internal/disk"
)

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, size, err := disk.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if content, err := io.ReadAll(file); err != nil || string(content) != "content" || size != 7 {
		t.Errorf("%q of %d bytes (error %v)", content, size, err)
	}
}

// The test would not end if Open waited until somebody writes to the pipe.
func TestOpenWhatIsNoFile(t *testing.T) {
	folder := t.TempDir()
	pipe := filepath.Join(folder, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{
		pipe: disk.ErrNotRegular, folder: disk.ErrNotRegular, os.DevNull: disk.ErrNotRegular,
		filepath.Join(folder, "nothing"): os.ErrNotExist,
	} {
		if file, _, err := disk.Open(path); file != nil || !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", path, err, want)
		}
	}
}

package disk_test

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"testing"

	"versus2048/internal/disk"
)

func TestFree(t *testing.T) {
	folder, err := disk.Free(t.TempDir())
	if err != nil || folder <= 0 {
		t.Errorf("%d bytes are free (%v)", folder, err)
	}
	known := runtime.GOOS == "linux" || runtime.GOOS == "darwin"
	if _, err := disk.Free(filepath.Join(t.TempDir(), "none")); known && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the disk of a file that does not exist: %v", err)
	}
}

func ExampleFree() {
	free, err := disk.Free(".")
	if err != nil {
		panic(err)
	}
	fmt.Println(free >= 0)
	// Output: true
}

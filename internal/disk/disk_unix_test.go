//go:build unix

package disk_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"versus2048/internal/disk"
)

// limitedFile is a variable in the environment of a process. Files of that process may have at most ten
// kilobytes. The value is the path of the file that it replaces.
const limitedFile = "VERSUS2048_TEST_LIMITED"

func TestMain(m *testing.M) {
	if path := os.Getenv(openFile); path != "" {
		writeBetween(path)
		return
	}
	path := os.Getenv(limitedFile)
	if path == "" {
		m.Run()
		return
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails, as on a full disk
	limit := syscall.Rlimit{Cur: 10_000, Max: 10_000}
	err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit)
	if err == nil {
		err = disk.Write(path, true, func(w io.Writer) error {
			_, err := w.Write(make([]byte, 100_000))
			return err
		})
	}
	if !errors.Is(err, syscall.EFBIG) {
		panic(err)
	}
}

// A disk that takes only a part of the file leaves the one that was there.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	writer := exec.CommandContext(t.Context(), os.Args[0])
	writer.Env = append(os.Environ(), limitedFile+"="+path)
	if output, err := writer.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	wantContent(t, path, "before")
}

//go:build unix

package exact_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"versus2048/players/exact"
)

// A named pipe without a writer is refused at once, like a device. The test would not end if Open waited for a
// writer.
func TestOpenAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "a.table")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero"} {
		_, err := exact.Open(path)
		var damaged *exact.DamagedError
		if !errors.As(err, &damaged) || damaged.Reason != "it is not a table of exact values" {
			t.Errorf("%s: error %v, want that it is no table", path, err)
		}
	}
}

package proof_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"versus2048/lab/proof"
	"versus2048/rules"
)

// A state has all its room from the beginning: with less a full disk would end the process in the middle of a search.
func TestStateHasRoom(t *testing.T) {
	c := proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Memory: 1 << 20, Threads: 1, State: filepath.Join(t.TempDir(), "state")}
	room := func() int64 {
		t.Helper()
		p, err := proof.Open(c)
		if err == nil {
			err = p.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(c.State)
		if err != nil {
			t.Fatal(err)
		}
		return 512 * info.Sys().(*syscall.Stat_t).Blocks
	}
	if got := room(); got < c.Memory {
		t.Errorf("a new state has room for %d bytes, want %d", got, c.Memory)
	}
	if err := errors.Join(os.Truncate(c.State, 64), os.Truncate(c.State, 64+c.Memory)); err != nil {
		t.Fatal(err)
	}
	if got := room(); got < c.Memory {
		t.Errorf("one that has lost its room is opened with %d bytes, want %d", got, c.Memory)
	}
}

// Where there is no room a new state is an error, and leaves no file.
func TestNoRoomForState(t *testing.T) {
	c := proof.Config{Rules: rules.GPCC2016, Size: rules.Size{Width: 3, Height: 2}, Memory: 1 << 20, Threads: 1, State: filepath.Join(t.TempDir(), "state")}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	small := syscall.Rlimit{Cur: 1 << 19, Max: limit.Max} // no file may be larger
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small); err != nil {
		t.Fatal(err)
	}
	_, err := proof.Open(c)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), "no room for a table of 1048576 bytes") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(c.State); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file remains: %v", err)
	}
}

package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/disk"
)

// text returns a function that writes a text.
func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// wantContent fails unless the folder has just one file, with this content.
func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is %q (error %v), want %q", path, got, err, want)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("files %v (error %v), want one", files, err)
	}
}

func TestReplacesOnlyOnRequest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := disk.Check(path, false); err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(path, false, text("first")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "first")
	var exists *disk.ExistsError
	for what, err := range map[string]error{
		"Check": disk.Check(path, false),
		"Write": disk.Write(path, false, text("second")),
	} {
		if !errors.As(err, &exists) || exists.Path != path || !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	wantContent(t, path, "first")
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(disk.Check(path, true), disk.Write(path, true, text("third"))); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "third")
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v (error %v): want the rights of the file before", info.Mode(), err)
	}
}

// Only this user may read a secret. It is replaced on request only.
func TestSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secret")
	for _, text := range []string{"before", "after"} {
		if err := disk.WriteSecret(path, true, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("it is %q, %v", got, err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("its rights: %v, %v", info, err)
	}
	if err := disk.WriteSecret(path, false, nil); !errors.As(err, new(*disk.ExistsError)) {
		t.Errorf("replaced without a request: %v", err)
	}
}

// A file that appears while another one of its name is being written is not replaced.
func TestFileThatAppearsMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	err := disk.Write(path, false, func(w io.Writer) error {
		return errors.Join(text("ours")(w), os.WriteFile(path, []byte("theirs"), 0o600))
	})
	if exists := new(disk.ExistsError); !errors.As(err, &exists) {
		t.Errorf("error %v", err)
	}
	wantContent(t, path, "theirs")
}

func TestFailureLeavesWhatWasThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	failure := errors.New("the disk is full")
	failing := func(w io.Writer) error { return errors.Join(text(strings.Repeat("half", 10_000))(w), failure) }
	if err := disk.Write(path, false, failing); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 0 {
		t.Errorf("files %v (error %v), want none", files, err)
	}
	if err := disk.Write(path, false, text("before")); err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(path, true, failing); !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	wantContent(t, path, "before")
}

func TestLinksFoldersAndDevices(t *testing.T) {
	folder := t.TempDir()
	path, link := filepath.Join(folder, "inner", "file"), filepath.Join(folder, "link")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), os.Symlink(path, link)); err != nil {
		t.Fatal(err)
	}
	if err := disk.Write(link, true, text("through the link")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "through the link")
	if err := disk.Check(folder, true); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("a folder: error %v", err)
	}
	if err := disk.Write(filepath.Join(folder, "missing", "file"), false, text("")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing folder: error %v", err)
	}
	dangling := filepath.Join(folder, "dangling")
	if err := os.Symlink(filepath.Join(folder, "nothing"), dangling); err != nil {
		t.Fatal(err)
	}
	for _, replace := range []bool{false, true} {
		if err := disk.Check(dangling, replace); err == nil || !strings.Contains(err.Error(), "a file that is not there") {
			t.Errorf("a link to nothing: error %v", err)
		}
	}
	if err := disk.Write(os.DevNull, false, text("into nothing")); err != nil {
		t.Errorf("a device: %v", err)
	}
}

func TestSyncAndRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := disk.Sync(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("syncing a missing file: error %v", err)
	}
	if err := os.WriteFile(path, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(disk.Sync(path), disk.Remove(path), disk.Remove(path)); err != nil {
		t.Errorf("syncing and removing twice: error %v", err)
	}
	if err := disk.Remove(filepath.Join(path, "below\x00")); err == nil {
		t.Error("removing an impossible name: no error")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Remove: error %v", err)
	}
}

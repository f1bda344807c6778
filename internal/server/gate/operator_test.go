//go:build unix

package gate

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const listening = "127.0.0.1:2048"

func TestOperatorFile(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o770); err != nil {
		t.Fatal(err)
	}
	defer syscall.Umask(syscall.Umask(0)) // the mode does not depend on it
	database := filepath.Join(folder, "arena.db")
	first, err := WriteOperatorFile(database, listening)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(database + ".operator")
	if err != nil || info.Mode() != 0o600 {
		t.Fatalf("mode %v, error %v: want a plain file that only its owner reads", info.Mode(), err)
	}
	if read, err := ReadOperatorFile(first.Path); err != nil || read != first {
		t.Errorf("read %+v, error %v: want %+v", read, err, first)
	}
	second, err := WriteOperatorFile(database, listening)
	if err != nil || second.Secret == first.Secret || len(second.Secret) < 26 {
		t.Errorf("after %q comes the secret %q, error %v", first.Secret, second.Secret, err)
	}
	if err := first.Remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(second.Path); err != nil {
		t.Errorf("one arena has removed the file of another: %v", err)
	}
	if err := second.Remove(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

// A file that cannot be read may be another arena's: it is kept.
func TestUnreadableOperatorFileIsKept(t *testing.T) {
	f, err := WriteOperatorFile(filepath.Join(t.TempDir(), "arena.db"), listening)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(f.Path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(); err == nil || !strings.Contains(err.Error(), "is kept") {
		t.Errorf("removing it: %v", err)
	}
	if _, err := os.Stat(f.Path); err != nil {
		t.Error(err)
	}
}

func TestOperatorFileDoesNotFollowLinks(t *testing.T) {
	folder := t.TempDir()
	victim, database := filepath.Join(folder, "victim"), filepath.Join(folder, "arena.db")
	if err := os.WriteFile(victim, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, database+".operator"); err != nil {
		t.Fatal(err)
	}
	f, err := WriteOperatorFile(database, listening)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(victim); err != nil || string(text) != "precious" {
		t.Errorf("the link was followed: %q, error %v", text, err)
	}
	if read, err := ReadOperatorFile(f.Path); err != nil || read.Secret != f.Secret {
		t.Errorf("read %+v, error %v", read, err)
	}
}

func TestOperatorFileThatCannotBeWritten(t *testing.T) {
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "arena.db.operator", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if f, err := WriteOperatorFile(filepath.Join(folder, "arena.db"), listening); err == nil {
		t.Errorf("a folder was replaced: %+v", f)
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

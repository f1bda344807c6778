//go:build unix

package arena

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

var listening = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 2048}

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
	if read, err := readOperatorFile(first.Path); err != nil || read != first {
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
	if read, err := readOperatorFile(f.Path); err != nil || read.Secret != f.Secret {
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

// What an arena names as its operator's file may be anything.
func TestClientReadsOnlyOperatorFiles(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path(name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	const good = `{"address":"127.0.0.1:2048","secret":"s"}`
	write("good.operator", good, 0o600)
	write("id_rsa", good, 0o600)
	write("open.operator", good, 0o644)
	write("text.operator", "text", 0o600)
	write("long.operator", `{"address":"127.0.0.1:2048","secret":"`+strings.Repeat("s", 1<<20)+`"}`, 0o600)
	write("other.operator", `{"address":"127.0.0.1:2049","secret":"s"}`, 0o600)
	write("away.operator", `{"address":"203.0.113.9:2048","secret":"s"}`, 0o600)
	if err := os.Symlink(path("good.operator"), path("link.operator")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path("pipe.operator"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"good.operator":  "",
		"id_rsa":         "is no operator's file",
		"none.operator":  "no such file",
		"open.operator":  "can be read by others",
		"text.operator":  "is no operator's file",
		"long.operator":  "is no operator's file",
		"link.operator":  "is not a plain file",
		"pipe.operator":  "is not a plain file",
		"other.operator": "is of an arena at 127.0.0.1:2049",
		"away.operator":  "is of an arena at 203.0.113.9:2048",
	} {
		c := &Client{URL: "http://localhost:2048"}
		switch err := c.prove(path(name)); {
		case want == "" && (err != nil || c.local.Secret != "s"):
			t.Errorf("%s: %+v, error %v", name, c.local, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) || c.local.Secret != ""):
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
	for _, elsewhere := range []string{"http://example.org:2048", "https://127.0.0.2.example.org:2048"} {
		if err := (&Client{URL: elsewhere}).prove(path("good.operator")); err == nil {
			t.Errorf("the file of this machine's arena was read for %s", elsewhere)
		}
	}
	if base, token := (&Client{URL: "http://localhost:2048", local: OperatorFile{Address: "127.0.0.1:2048", Secret: "s"}}).credentials(); base != "http://127.0.0.1:2048" || token != "s" {
		t.Errorf("the secret goes to %s", base)
	}
}

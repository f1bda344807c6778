//go:build unix

package server

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"versus2048/internal/server/gate"
)

// An arena may name any file as its operator's file.
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
	write("usual.operator", `{"address":"127.0.0.1:80","secret":"s"}`, 0o600)
	for address, proven := range map[string]bool{"http://localhost": true, "http://127.0.0.1/": true, "https://localhost": false} {
		if err := (&Client{URL: address}).prove(path("usual.operator")); (err == nil) != proven {
			t.Errorf("an arena on port 80 at %s: error %v", address, err)
		}
	}
	for _, elsewhere := range []string{"http://example.org:2048", "https://127.0.0.2.example.org:2048"} {
		if err := (&Client{URL: elsewhere}).prove(path("good.operator")); err == nil {
			t.Errorf("the file of this machine's arena was read for %s", elsewhere)
		}
	}
	if base, token := (&Client{URL: "http://localhost:2048", local: gate.OperatorFile{Address: "127.0.0.1:2048", Secret: "s"}}).credentials(); base != "http://127.0.0.1:2048" || token != "s" {
		t.Errorf("the secret goes to %s", base)
	}
}

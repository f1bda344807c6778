package hosting

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/server/gate"
)

// A worker believes a server no more than that a file for the server's own address has its token.
func TestLocalToken(t *testing.T) {
	const at = "127.0.0.1:4222"
	folder := t.TempDir()
	greet := func(name string) []byte { return []byte(`INFO {"server_name":"` + name + `"}` + "\r\n") }
	file, err := (gate.OperatorFile{Address: at, Secret: "the token"}).Write(filepath.Join(folder, "an arena.db.farm"))
	if err != nil {
		t.Fatal(err)
	}
	name := localName(filepath.Join(folder, "an arena.db.farm"))
	if strings.Contains(name, " ") {
		t.Errorf("a server cannot have the name %q", name)
	}
	open := filepath.Join(folder, "open"+gate.OperatorSuffix)
	if err := os.WriteFile(open, []byte(`{"address":"`+at+`","secret":"x"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		greeting    []byte
		at          string
		token, want string
	}{
		"its own":        {greet(name), at, "the token", ""},
		"another's":      {greet(name), "127.0.0.1:4223", "", "is for the farm at " + at},
		"no arena":       {greet("nats"), at, "", ""},
		"no greeting":    {[]byte("HTTP/1.1 400\r\n"), at, "", ""},
		"no JSON":        {[]byte("INFO x\r\n"), at, "", ""},
		"no file":        {greet(localName(filepath.Join(folder, "other"))), at, "", "be that user, or give"},
		"read by others": {greet(localName(filepath.Join(folder, "open"))), at, "", "can be read by others"},
		"another file":   {greet("%2Fetc%2Fpasswd"), at, "", ""},
	} {
		token, err := localToken(c.greeting, c.at)
		if token != c.token || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: token %q, error %v, want %q and %q", what, token, err, c.token, c.want)
		}
	}
	if err := file.Remove(); err != nil {
		t.Error(err)
	}
}

// The greeting of a server can be read again. A server with an unfit greeting is refused.
func TestGreeting(t *testing.T) {
	for said, want := range map[string]string{"INFO {}\r\nPING\r\n": "INFO {}\r\nPING\r\n", "hello": "", strings.Repeat("x", longestGreeting+1): strings.Repeat("x", longestGreeting+1)} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			conn, err := listener.Accept()
			if err == nil {
				_, _ = io.WriteString(conn, said)
				_ = conn.Close()
			}
		}()
		conn, err := (&tokenFinder{}).Dial("tcp", listener.Addr().String())
		if err != nil {
			if want != "" {
				t.Errorf("%.20q: %v", said, err)
			}
			continue
		}
		if got, err := io.ReadAll(conn); err != nil || string(got) != want {
			t.Errorf("%.20q is read as %.20q, error %v", said, got, err)
		}
		_ = conn.Close()
	}
}

// The workers that share a folder have one key, which nobody else can read; without a folder each has its own.
func TestWorkerKey(t *testing.T) {
	public := func(folder string) string {
		t.Helper()
		key, err := workerKey(folder)
		if err != nil {
			t.Fatal(err)
		}
		text, err := key.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	folder := filepath.Join(t.TempDir(), "new", "cache")
	if first, second := public(folder), public(folder); first != second {
		t.Errorf("the keys %s and %s of one folder differ", first, second)
	}
	info, err := os.Lstat(filepath.Join(folder, keyName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key has the mode %v, error %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("the folder has %v, error %v", left, err)
	}
	if first, second := public(""), public(""); first == second {
		t.Error("workers without a folder have one key")
	}
	if err := os.WriteFile(filepath.Join(folder, keyName), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if key, err := workerKey(folder); err == nil || key == nil {
		t.Errorf("a damaged key is %v, error %v", key, err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// A signature is good for its file only, with a key that has a password or none.
func TestSign(t *testing.T) {
	folder := t.TempDir()
	public, secret, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	open, err := secret.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	locked, err := minisign.EncryptKey("secret", secret)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string][]byte{"open": open, "locked": append(locked, '\n')} {
		path, keyFile := filepath.Join(folder, "SHA256SUMS-"+name), filepath.Join(folder, name)
		write(t, keyFile, key)
		write(t, path, []byte("sums\n"))
		if err := sign(keyFile, path, "secret"); err != nil {
			t.Fatal(err)
		}
		signature := []byte(content(t, path+".minisig"))
		if !minisign.Verify(public, []byte("sums\n"), signature) || minisign.Verify(public, []byte("other\n"), signature) {
			t.Errorf("%s: the signature\n%s", name, signature)
		}
		if !strings.Contains(string(signature), "trusted comment: file:"+filepath.Base(path)+"\n") {
			t.Errorf("the comment of\n%s", signature)
		}
	}
	if err := sign(filepath.Join(folder, "locked"), filepath.Join(folder, "open"), ""); err == nil || !strings.Contains(err.Error(), passwordVariable) {
		t.Errorf("without the password: %v", err)
	}
	if err := sign(filepath.Join(folder, "SHA256SUMS-open"), filepath.Join(folder, "open"), ""); err == nil {
		t.Error("no error for a file that is no key")
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

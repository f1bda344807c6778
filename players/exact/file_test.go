package exact_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/testkit"
	"versus2048/players/exact"
	"versus2048/rules"
)

// written copies a table of 2x2 to a file that the test may change.
func written(t testing.TB, r rules.Ruleset) (path string, content []byte) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", r.String()+"-2x2.table"))
	path = filepath.Join(t.TempDir(), "a.table")
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

// A table with any bit changed, or cut off anywhere, is rejected with an error of one line that names the file.
func TestDamage(t *testing.T) {
	testkit.Long(t)
	path, content := written(t, rules.GPCC2015)
	refused := func(what string, damaged []byte) {
		t.Helper()
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := exact.Open(path)
		if reason := new(exact.DamagedError); !errors.As(err, &reason) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), path) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for i := range content {
		for bit := range 8 {
			damaged := bytes.Clone(content)
			damaged[i] ^= 1 << bit
			refused("a bit changed", damaged)
		}
		refused("cut", content[:i])
	}
	refused("longer", append(bytes.Clone(content), 0))
	refused("foreign", bytes.Repeat([]byte("notes of mine\n"), 100))
}

func FuzzOpen(f *testing.F) {
	_, content := written(f, rules.Solo)
	f.Add(content)
	f.Fuzz(func(t *testing.T, other []byte) {
		path := filepath.Join(t.TempDir(), "b.table")
		if err := os.WriteFile(path, other, 0o600); err != nil {
			t.Fatal(err)
		}
		if table, err := exact.Open(path); (err == nil) != bytes.Equal(other, content) {
			t.Errorf("%v, %v", table, err)
		}
	})
}

func TestOpenNothing(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(folder, "none"): "no such file",
		folder:                        "is not a table",
	} {
		if _, err := exact.Open(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A table that cannot be written leaves nothing behind.
func TestWriteFileFails(t *testing.T) {
	folder := t.TempDir()
	target := filepath.Join(folder, "a.table")
	if err := os.MkdirAll(filepath.Join(target, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	table, err := exact.Open("testdata/gpcc2015-2x2.table")
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	for _, path := range []string{target, filepath.Join(folder, "none", "a.table")} {
		if err := table.WriteFile(path, true); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

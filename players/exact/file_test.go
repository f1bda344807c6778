package exact_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/players/exact"
	"versus2048/rules"
)

// written writes the table of a small board and returns its path and content.
func written(t *testing.T, r rules.Ruleset, size string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.table")
	solution := solve(t, r, size)
	if err := solution.WriteFile(path, true); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil || len(content) != solution.Bytes() {
		t.Fatalf("%d bytes, %v, want %d", len(content), err, solution.Bytes())
	}
	return path, content
}

func TestOpen(t *testing.T) {
	for r, size := range map[rules.Ruleset]string{rules.GPCC2015: "3x2", rules.GPCC2016: "2x2", rules.Solo: "2x2"} {
		path, _ := written(t, r, size)
		table, err := exact.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		all := naive{}
		all.value(rules.NewPosition(r, table.Size()))
		for _, want := range all {
			compare(t, table, all, want)
		}
		if table.Rules() != r || table.Size().String() != size || table.States() == 0 {
			t.Errorf("%v, %v, %d states", table.Rules(), table.Size(), table.States())
		}
		if err := table.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A table with any bit changed, or cut off anywhere, is rejected with an error of one
// line that names the file.
func TestDamage(t *testing.T) {
	path, content := written(t, rules.GPCC2015, "2x2")
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
	path := filepath.Join(f.TempDir(), "a.table")
	if err := solve(f, rules.Solo, "2x2").WriteFile(path, true); err != nil {
		f.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
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
	solution := solve(t, rules.GPCC2015, "2x2")
	for _, path := range []string{target, filepath.Join(folder, "none", "a.table")} {
		if err := solution.WriteFile(path, true); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

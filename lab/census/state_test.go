package census

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Every changed byte of census.json is noticed.
func TestEveryChangedByteOfTheState(t *testing.T) {
	s := Config{Start: empty, Plies: 12, Folder: t.TempDir()}
	runCensus(t, s)
	path := filepath.Join(s.Folder, stateName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parseState(text); err != nil {
		t.Fatal(err)
	}
	for i := range text {
		for bit := range 8 {
			changed := append([]byte{}, text...)
			changed[i] ^= 1 << bit
			if _, err := parseState(changed); err == nil {
				t.Errorf("byte %d, %q instead of %q, goes unnoticed", i, changed[i], text[i])
			}
		}
	}
}

// Earlier versions wrote census.json without a checksum. A census that they began is continued.
func TestStateWithoutChecksum(t *testing.T) {
	s := Config{Start: empty, Plies: 12, Folder: t.TempDir()}
	runCensus(t, s)
	path := filepath.Join(s.Folder, stateName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before := regexp.MustCompile(`,\n  "sha256": "[0-9a-f]{64}"`).ReplaceAll(text, nil)
	if len(before) != len(text)-80 {
		t.Fatalf("%s", before)
	}
	if err := os.WriteFile(path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	s.Plies = 14
	if layers := runCensus(t, s); len(layers) != 8 {
		t.Errorf("%d layers", len(layers))
	}
	if text, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if state, err := parseState(text); err != nil || state.SHA256 == "" {
		t.Errorf("state %+v, error %v: want a checksum", state, err)
	}
}

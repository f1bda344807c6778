package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder with files is refused, unless the user wants the site there.
func TestRefusesFullFolder(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := writeSite(context.Background(), io.Discard, folder, false)
	if err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("error %v", err)
	}
	if err := prepareSite(folder, true); err != nil {
		t.Error(err)
	}
}

package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder with files is refused, unless that is wanted.
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

// A drawing keeps its styles, each once.
func TestShort(t *testing.T) {
	const drawing = "<svg width=\"9pt\"\n\tviewBox=\"0 0 9 9\">\n<path d=\"M0,0\" style=\"fill:none\" />\n<text x=\"8\"\n\tstyle=\"fill:none\">a</text><text style=\"fill:#1E1E1E\">b</text></svg>"
	const want = "<svg width=\"9pt\"\n\tviewBox=\"0 0 9 9\"><style>.s0{fill:none}.s1{fill:#1E1E1E}</style>\n<path d=\"M0,0\" class=\"s0\" />\n<text x=\"8\" class=\"s0\">a</text><text class=\"s1\">b</text></svg>"
	if got := string(shortDrawing([]byte(drawing))); got != want {
		t.Errorf("%s", got)
	}
}

package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"versus2048/internal/web/offline"
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

// The page of an error is not published.
func TestAnsweredByAnError(t *testing.T) {
	made, err := offline.New(offline.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if page, err := answered(made, offline.Request{Path: "/nowhere"}); page != nil || err == nil || !strings.Contains(err.Error(), "/nowhere with the status 404") {
		t.Errorf("page %.100s, error %v", page, err)
	}
}

//go:build linux

package fulldisk_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"versus2048/internal/fulldisk"
)

func TestFill(t *testing.T) {
	folder := t.TempDir()
	disk := fulldisk.New(t)
	disk.Fill(folder, 3)
	err := play(filepath.Join(folder, "arena.db")) // database or disk is full (13)
	disk.Free()
	if err == nil || !strings.Contains(err.Error(), "database or disk is full (13)") || !disk.Refused() {
		t.Errorf("error %v", err)
	}
	disk.Fill(folder, 0)
	if err := play(filepath.Join(t.TempDir(), "arena.db")); err != nil || disk.Refused() {
		t.Errorf("on another disk: %v", err)
	}
	disk.Free()
	if err := play(filepath.Join(folder, "arena.db")); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func play(path string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec("CREATE TABLE games (moves TEXT)")
	return err
}

//go:build linux && !race

package backup_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"versus2048/internal/fulldisk"
	"versus2048/results/backup"
)

// A full disk leaves no backup, and does not change the saved database.
func TestFullDisk(t *testing.T) {
	db, folder := database(t, 2), t.TempDir()
	before := exported(t, db)
	disk := fulldisk.New(t)
	file := filepath.Join(folder, "backup.db.zst")
	for n, failed := 0, 0; ; n++ {
		disk.Fill(folder, n)
		_, err := backup.Write(t.Context(), db, file, backup.Options{Replace: true})
		refused := disk.Refused()
		disk.Free()
		if err != nil {
			only(t, folder)
			failed++
			continue
		}
		// The copy can be read without the files that SQLite would like to write beside it.
		if _, err := backup.Restore(t.Context(), file, filepath.Join(t.TempDir(), "restored.db"), backup.Options{}); err != nil {
			t.Errorf("room for %d writes: %v", n, err)
		}
		if !refused {
			if failed < 10 {
				t.Errorf("only %d writes were refused", failed)
			}
			break
		}
		if err := errors.Join(os.Remove(file), os.Remove(file+".sha256")); err != nil {
			t.Fatal(err)
		}
	}
	if exported(t, db) != before {
		t.Error("the database has changed")
	}
}

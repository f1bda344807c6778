package parquet_test

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"versus2048/internal/disk"
	"versus2048/results/parquet"
)

func wantEqual(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n%+v\nwant:\n%+v", what, got, want)
	}
}

func TestWriteFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "games")
	one := func(w *parquet.Writer) error { return w.Write(stored(t)) }
	if err := parquet.WriteFolder(folder, false, source, one); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "files", names(t, folder), []string{"games.parquet", "plies.parquet", "searches.parquet"})
	var exists *disk.ExistsError
	if err := parquet.WriteFolder(folder, false, source, one); !errors.As(err, &exists) {
		t.Errorf("%v, want that a file exists", err)
	}
	if err := parquet.WriteFolder(folder, true, source, one); err != nil {
		t.Error(err)
	}
	wantEqual(t, "files", names(t, folder), []string{"games.parquet", "plies.parquet", "searches.parquet"})
}

// A failure leaves no files, or the earlier files.
func TestWriteFolderFails(t *testing.T) {
	cause := errors.New("the disk is full")
	fail := func(w *parquet.Writer) error { return errors.Join(w.Write(stored(t)), cause) }
	parent := t.TempDir()
	if err := parquet.WriteFolder(filepath.Join(parent, "games"), false, source, fail); !errors.Is(err, cause) {
		t.Errorf("%v, want %v", err, cause)
	}
	wantEqual(t, "parent", names(t, parent), []string{})
	if err := os.WriteFile(filepath.Join(parent, parquet.PliesFile), []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := parquet.WriteFolder(parent, true, source, fail); !errors.Is(err, cause) {
		t.Errorf("%v, want %v", err, cause)
	}
	wantEqual(t, "parent", names(t, parent), []string{parquet.PliesFile})
}

func names(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

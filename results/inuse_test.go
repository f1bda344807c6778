package results

import (
	"os"
	"testing"
)

// Looking whether a database is in use neither locks it nor makes a file.
func TestInUse(t *testing.T) {
	path := t.TempDir() + "/arena.db"
	if InUse(path) {
		t.Error("a database that does not exist is in use")
	}
	if _, err := os.Stat(path + ".lock"); err == nil {
		t.Error("the look has made a file")
	}
	for range 2 {
		s, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if !InUse(path) {
			t.Error("an open database is not in use")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if InUse(path) {
			t.Error("a closed database is in use")
		}
	}
}

package census

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// Verify finds any changed byte of a census that is kept whole, and changes nothing.
func TestVerifyCensus(t *testing.T) {
	s := keptCensus(t.TempDir())
	s.Keep = true
	runCensus(t, s)
	before := contents(t, s.Folder)
	v, err := Verify(t.Context(), s.Folder)
	if err != nil || v.Layers != 16 || v.Files != 15 || !v.Sealed || v.Bytes == 0 {
		t.Fatalf("%+v, error %v", v, err)
	}
	random := rand.New(rand.NewPCG(2, 0))
	for name, content := range before {
		if name == lockName {
			continue
		}
		path := filepath.Join(s.Folder, name)
		for range 5 {
			changed := []byte(content)
			changed[random.IntN(len(changed))] ^= 1 << random.IntN(8)
			if err := os.WriteFile(path, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if damaged := new(DamagedError); !errors.As(second(Verify(t.Context(), s.Folder)), &damaged) || damaged.Path != path {
				t.Errorf("%s: error %v", name, damaged)
			}
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(s.Folder, "layer-010")); err != nil {
		t.Fatal(err)
	}
	if damaged := new(DamagedError); !errors.As(second(Verify(t.Context(), s.Folder)), &damaged) {
		t.Error("a missing file goes unnoticed")
	}
}

func second(_ Verification, err error) error { return err }
